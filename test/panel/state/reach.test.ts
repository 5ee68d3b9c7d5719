import fc from "fast-check";
import { expect, test } from "vitest";
import { firstState, type PanelState } from "../../../panel/state/panel-state.ts";
import { reachOf } from "../../../panel/state/reach.ts";
import type { ShownSettings } from "../../../panel/state/service-settings.ts";

const HERE = "http://127.0.0.1:8420";

/** A panel whose service, as far as it was heard of, sends something to a host, or nothing, or does not say. */
function stateWith(sends: string | null | undefined, change: Partial<PanelState>): PanelState {
  const part = { sends_to: sends ?? null };
  const settings = { describer: part, dialogue: { sends_to: null }, voice: { sends_to: null } };
  // What else the settings say is not asked for.
  const shown = { address: HERE, settings } as unknown as ShownSettings;
  return { ...firstState(HERE, 0), serviceSettings: sends === undefined ? null : shown, ...change };
}

const states = fc
  .record({
    sends: fc.constantFrom(undefined, null, "api.example.com"),
    isThere: fc.constantFrom(undefined, true, false),
    hasKey: fc.boolean(),
    runs: fc.boolean(),
    address: fc.constantFrom(HERE, "http://localhost:9000", "https://api.example.com"),
  })
  .map(({ sends, isThere, hasKey, runs, address }) => ({
    isThere,
    address,
    hasKey: hasKey || runs,
    state: stateWith(sends, {
      service: { address },
      answered: isThere === undefined ? null : { address, isThere },
      shownKey: hasKey || runs ? "••••" : null,
      companion: runs ? { address, version: "0.1.0" } : null,
    }),
  }));

test("nothing is said of where things go before the service has told it, and not that it runs before it answered", () => {
  fc.assert(
    fc.property(states, ({ state, isThere, hasKey, address }) => {
      const { kind } = reachOf(state);
      if (address.startsWith("https")) {
        expect(kind).toBe("hosted");
        return;
      }
      if (kind === "known") expect([state.serviceSettings?.address, isThere !== false]).toEqual([address, true]);
      if (kind === "here") expect(isThere).toBe(true);
      if (isThere === false) expect(kind).toBe(hasKey ? "silent" : "off");
      if (!hasKey && isThere === undefined && state.serviceSettings?.address !== address) expect(kind).toBe("off");
    }),
  );
});

test.each([
  ["a service that sends nothing", null, { kind: "known", hosts: [] }],
  ["a service that asks a model elsewhere", "api.example.com", { kind: "known", hosts: ["api.example.com"] }],
  ["a service that does not say", undefined, { kind: "here" }],
] as const)("where %s works", (_, sends, reach) => {
  expect(reachOf(stateWith(sends, { shownKey: "••••", answered: { address: HERE, isThere: true } }))).toEqual(reach);
});
