import type { PanelTools } from "./controllers/actions.ts";
import { setUpPlugin } from "./plugin.ts";
import { words } from "./words/words.ts";

/** Address that the companion's installation belongs to: opening it starts Aside. */
const START_ADDRESS = "aside://start";

// The package that is handed out directly. Its tools are a script of their own, which the page loads after this one.
setUpPlugin({
  launching: (shell) => ({
    showFolder: async (path) => (await shell.openPath(path, words.showReason)) === "",
    startCompanion: async () => (await shell.openExternal(START_ADDRESS, words.startReason)) === "",
  }),
  tools: (parts) => (actions) => whenDrawn(() => globalThis.asideTools?.(parts)(actions)),
});

/** Tools that are made when they are first looked at: by then their script is there, if it comes at all. */
function whenDrawn(make: () => PanelTools | undefined): PanelTools {
  let made: PanelTools | undefined;
  return {
    views: {
      diagnostics: (state) => {
        made ??= make();
        return made?.views.diagnostics?.(state) ?? [];
      },
    },
    close: () => made?.close(),
  };
}
