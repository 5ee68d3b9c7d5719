import { Diagnostics } from "./diagnostics/diagnostics.ts";
import { probing } from "./diagnostics/probing.ts";
import { setUpPlugin } from "./plugin.ts";
import { words } from "./words/words.ts";

// The package that is handed out directly.
setUpPlugin({
  showFolder: async (shell, path) => (await shell.openPath(path, words.showReason)) === "",
  tools: (parts) => (actions) => new Diagnostics(actions, probing(parts)),
});
