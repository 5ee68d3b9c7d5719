import { type ScriptMemory, scriptLayout } from "../../../src/workflow/describe/script-layouts.ts";
import type { Session } from "../../session/session.ts";
import { hostNameOf } from "../../state/service-address.ts";

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
