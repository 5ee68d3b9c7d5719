import "./newer-built-ins.ts";
import { Diagnostics } from "./diagnostics/diagnostics.ts";
import { probing } from "./diagnostics/probing.ts";

// A script of its own, which runs when somebody first looks at it: it makes the main one no larger and no slower.
globalThis.asideTools = (parts) => (actions) => new Diagnostics(actions, probing(parts));
