import { Diagnostics } from "./diagnostics/diagnostics.ts";
import { probing } from "./diagnostics/probing.ts";
import { setUpPlugin } from "./plugin.ts";
import { words } from "./words/words.ts";

/** Address that the companion's installation belongs to: opening it starts Aside. */
const START_ADDRESS = "aside://start";

// The package that is handed out directly.
setUpPlugin({
  launching: (shell) => ({
    showFolder: async (path) => (await shell.openPath(path, words.showReason)) === "",
    startCompanion: async () => (await shell.openExternal(START_ADDRESS, words.startReason)) === "",
  }),
  tools: (parts) => (actions) => new Diagnostics(actions, probing(parts)),
});
