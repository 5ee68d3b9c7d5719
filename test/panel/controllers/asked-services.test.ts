import { beforeEach, describe, expect, test } from "vitest";
import { GapController } from "../../../panel/controllers/describe/gap-controller.ts";
import { SettingsController } from "../../../panel/controllers/settings-controller.ts";
import type { ServiceConnection } from "../../../panel/session/connection.ts";
import type { PanelEnvironment } from "../../../panel/session/environment.ts";
import type { ShownSettings } from "../../../panel/state/service-settings.ts";
import { words } from "../../../panel/words/words.ts";
import { madeTimeline } from "../../made-timeline.ts";
import { jobEntry, type SessionInMemory, sessionInMemory } from "../session-in-memory.ts";

const CLOUD = "https://cloud.example";
const HERE = "http://127.0.0.1:8420";

let made: SessionInMemory;
let asked: string[];
/** What the services answer, by the name of the request. */
let answers: Record<string, (...args: never[]) => unknown>;
const connection = {
  client: async (address: string) => {
    asked.push(address);
    return new Proxy({}, { get: (_, name) => (name === "then" ? undefined : answers[String(name)]) });
  },
} as unknown as ServiceConnection;
beforeEach(() => {
  asked = [];
  answers = {};
});

describe("a look for pauses by ear", () => {
  const EDITOR = {
    exportSequence: async () => ({ path: "/panel/exports/sound.wav", contentType: "audio/wav", offsetSeconds: 0 }),
    transcribedCaptions: async () => null,
    readTimeline: async () => madeTimeline([]),
  } as unknown as PanelEnvironment["editor"];

  async function look(address: string, longest: number | null, editor = EDITOR): Promise<void> {
    made = sessionInMemory({ editor, transfer: {} as PanelEnvironment["transfer"] });
    const { service } = made.session.state;
    made.session.store.set({ service: { ...service, address }, sequence: jobEntry().sequence });
    answers["longestHeardSeconds"] = async () => longest;
    await new GapController(made.session, connection).look(true);
  }

  test.each([
    [CLOUD, HERE],
    ["http://127.0.0.1.example:8420", HERE],
    ["http://localhost:9000", "http://localhost:9000"],
    [HERE, HERE],
  ])("with the service at %s asks nobody but the one on this computer: %s", async (address, listener) => {
    await look(address, null);
    expect(asked).toEqual([listener]);
    expect(made.session.state.message).toMatchObject({ text: words.gapsUnknown });
    expect(made.session.state.looking).toBeNull();
  });

  test.each([
    [59.9, false],
    [60, true],
  ])("of a minute exports nothing for a service that listens to %s s: %s", async (longest, isExported) => {
    let exports = 0;
    const exportSequence = async () => {
      exports += 1;
      throw new Error("stop here");
    };
    const editor = { ...EDITOR, exportSequence };
    await look(HERE, longest, editor as typeof EDITOR).catch(() => undefined);
    expect(exports).toBe(isExported ? 1 : 0);
  });
});

describe("settings of a service", () => {
  const PART = {
    decided_by: "nobody",
    values: {},
    has_key: false,
    is_ready: true,
    sends_to: null,
    numbers: [],
    state: "",
  };
  const shownOf = (address: string, note: string) =>
    ({
      address,
      settings: {
        may_change: true,
        describer: { ...PART, state: note },
        ...Object.fromEntries(
          ["dialogue", "voice", "privacy", "limits", "retention", "network"].map((name) => [name, PART]),
        ),
      },
      choices: {
        describer: [{ title: "", detail: "", values: { server: "off" }, needs: [], is_local: true }],
        dialogue: [],
        voice: [],
        system_voices: [],
      },
      drafts: { describer: { index: 0, typed: {} } },
      numbers: {},
      trials: {},
    }) as unknown as ShownSettings;
  let controller: SettingsController;
  let played: string[];
  beforeEach(() => {
    played = [];
    made = sessionInMemory({
      player: { play: async (path) => void played.push(path), stop: () => undefined },
    });
    controller = new SettingsController(made.session, connection);
  });
  const state = () => made.session.state.serviceSettings?.settings.describer.state;

  test("that answer when another service is shown by then change nothing of that one", async () => {
    made.session.store.set({ serviceSettings: shownOf(HERE, "here") });
    const reply = Promise.withResolvers<unknown>();
    answers["changeSettings"] = () => reply.promise;
    const using = controller.use("describer");
    await made.rest();
    made.session.store.set({ serviceSettings: shownOf(CLOUD, "cloud") });
    reply.resolve(shownOf(HERE, "changed").settings);
    await using;
    expect([state(), Object.keys(made.session.state.serviceSettings?.drafts ?? {})]).toEqual(["cloud", ["describer"]]);
    made.session.store.set({ serviceSettings: shownOf(HERE, "here") });
    await controller.use("describer");
    expect([state(), made.session.state.serviceSettings?.drafts]).toEqual(["changed", {}]);
  });

  test("are asked for an estimate once a length, and the answer to what was asked last counts, in whatever order they come", async () => {
    made.session.store.set({ serviceSettings: shownOf(HERE, "here") });
    const replies: PromiseWithResolvers<unknown>[] = [];
    answers["modelEstimate"] = () => {
      const reply = Promise.withResolvers<unknown>();
      replies.push(reply);
      return reply.promise;
    };
    for (const seconds of [60, 60, 120, 0, Number.NaN]) controller.estimate(seconds);
    await made.rest();
    expect(replies).toHaveLength(2);
    replies[1]?.resolve({ minutes: 2 });
    await made.rest();
    replies[0]?.resolve({ minutes: 1 });
    await made.rest();
    expect(made.session.state.modelEstimate).toMatchObject({ durationSeconds: 120, reply: { minutes: 2 } });
  });

  test("whose voice is tried leave no sound behind, heard or not", async () => {
    made = sessionInMemory({
      files: withWriter(),
      player: {
        play: async (path) => {
          played.push(path);
          throw new Error("no sound here");
        },
        stop: () => undefined,
      },
    });
    controller = new SettingsController(made.session, connection);
    made.session.store.set({ serviceSettings: shownOf(HERE, "here") });
    answers["testSettings"] = async () => ({ works: true, message: "", seconds: 1, audio: "AAAA" });
    await expect(controller.try("voice")).rejects.toThrow("no sound here");
    expect(played).toEqual(["/panel/exports/listen-voice-1.wav"]);
    expect(left).toEqual(new Set());
    expect(made.session.state.serviceSettings?.trials).toEqual({});
  });

  let left: Set<string>;
  /** Files of which it is known alone which are there. */
  function withWriter() {
    left = new Set();
    const files = {
      openWriter: async (path: string) => {
        left.add(path);
        return { write: async () => undefined, close: async () => undefined };
      },
      remove: async (path: string) => void left.delete(path),
    };
    return files as unknown as PanelEnvironment["files"];
  }
});
