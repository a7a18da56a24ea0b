"""A survey: randomised response, Warner (1965)."""
