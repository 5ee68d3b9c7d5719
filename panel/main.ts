import { Diagnostics } from "./diagnostics/diagnostics.ts";
import { probing } from "./diagnostics/probing.ts";
import { setUpPlugin } from "./plugin.ts";

// The package that is handed out directly.
setUpPlugin({
  launches: true,
  tools: (parts) => (actions) => new Diagnostics(actions, probing(parts)),
});
