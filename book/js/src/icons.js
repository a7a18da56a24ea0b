// The icons of the theme, and no others: in place of its own script, which brings two thousand (1.5 MB).
import { dom, library } from "@fortawesome/fontawesome-svg-core";
import { faGithub, faGitlab } from "@fortawesome/free-brands-svg-icons";
import {
  faAngleLeft, faAngleRight, faArrowUp, faBars, faChevronDown, faChevronRight, faCircleHalfStroke, faCode, faDownload, faExpand,
  faFile, faFileLines, faFilePdf, faHome, faLightbulb, faList, faMagnifyingGlass, faMoon, faOutdent, faPencil, faPlay, faRocket,
  faSun, faXmark,
} from "@fortawesome/free-solid-svg-icons";

library.add(faAngleLeft, faAngleRight, faArrowUp, faBars, faChevronDown, faChevronRight, faCircleHalfStroke, faCode, faDownload, faExpand,
  faFile, faFileLines, faFilePdf, faGithub, faGitlab, faHome, faLightbulb, faList, faMagnifyingGlass, faMoon, faOutdent, faPencil, faPlay,
  faRocket, faSun, faXmark);
dom.watch();
