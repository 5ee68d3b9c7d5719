// Keeps compiled code between runs, of this process and of those it starts: each starts in about half the time then. The
// folder belongs to the installation, or to its user where a package of the companion names one, because whoever writes
// there decides what runs. Where it cannot be written, Node compiles anew as ever.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const FOLDER = process.env.ASIDE_CODE_CACHE || fileURLToPath(new URL("../node_modules/.cache/aside", import.meta.url));

enableCompileCache(FOLDER);
process.env.NODE_COMPILE_CACHE ??= FOLDER;
