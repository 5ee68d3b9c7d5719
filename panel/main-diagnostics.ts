import { Diagnostics } from "./diagnostics/diagnostics.ts";
import { probing } from "./diagnostics/probing.ts";

// The second script of the direct package. Nothing else needs it, and it makes the first one no larger.
globalThis.asideTools = (parts) => (actions) => new Diagnostics(actions, probing(parts));
