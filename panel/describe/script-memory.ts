import { type ScriptMemory, scriptLayout } from "../../src/workflow/describe/script-layouts.ts";
import { hostNameOf } from "../service-address.ts";
import type { Session } from "../session.ts";

/** Remembers with the preferences which layout of a script a service takes. */
export function scriptMemoryOf(session: Session, address: string): ScriptMemory {
  const server = hostNameOf(address).toLowerCase();
  return {
    last: async () => scriptLayout(session.state.scriptLayouts[server] ?? ""),
    async took(layout) {
      session.store.update((state) => ({ ...state, scriptLayouts: { ...state.scriptLayouts, [server]: layout } }));
      session.keepPreferences();
    },
  };
}
