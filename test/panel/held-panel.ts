import { ServiceConnection } from "../../panel/session/connection.ts";
import type { PanelEnvironment } from "../../panel/session/environment.ts";
import type { Session } from "../../panel/session/session.ts";
import { openReview } from "../../panel/state/opened-review.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { silentWav } from "../fakes/wav.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../made-timeline.ts";
import { HeldPorts } from "./held-ports.ts";
import { jobEntry, type SessionInMemory, sessionInMemory, TextFiles } from "./session-in-memory.ts";

export const ADDRESS = "https://api.example.com";

/** What somebody is asked, and what they answer; whatever else they are asked, they answer with nothing. */
export type Answers = Readonly<Record<string, unknown>>;

/** A port whose members all take their time; every call is noted with what it is given. */
function answering(ports: HeldPorts, asked: string[], answers: Answers): object {
  const member =
    (name: string) =>
    async (...args: readonly unknown[]) => {
      asked.push([name, ...args.filter((one) => typeof one === "string")].join(" "));
      const answer = answers[name];
      return typeof answer === "function" ? answer(...args) : answer;
    };
  // What is asked of any object by the language itself is not there.
  return ports.wrap(new Proxy({}, { get: (_, name) => (name === "then" ? undefined : member(String(name))) }));
}

export interface HeldPanel extends SessionInMemory {
  readonly ports: HeldPorts;
  readonly asked: string[];
  readonly connection: ServiceConnection;
}

export const RESULT = placedResult([{ id: "a", start: 1, end: 2, text: "Rain." }], { acceptedIds: ["a"] });
export const SEQUENCE = jobEntry().sequence;
const CUT = madeTimeline([
  madeTrack(
    "video",
    [10, 20, 30].map((end) => madeClip(madeMedia(`${end}.mov`), end - 10, end)),
  ),
]);

const part = (more: object = {}) => ({ decided_by: "settings", has_key: true, sends_to: null, numbers: [], ...more });
export const SETTINGS = {
  may_change: true,
  describer: part(),
  dialogue: part(),
  voice: part(),
  limits: part(),
  retention: part({ numbers: [{ name: "days" }, { name: "hours", waits_for_start: true }] }),
  voices: [],
};
const CHOICE = { title: "Aside", values: {}, needs: [], is_local: true };
const CHOICES = { describer: [CHOICE], dialogue: [CHOICE], voice: [CHOICE] };
const SHOWN = { address: ADDRESS, settings: SETTINGS, choices: null, drafts: {}, numbers: {}, trials: {} };
export const fetching = (state: string) => ({
  models: [{ id: "m", title: "Model" }],
  download: { model: "m", state },
  refused: null,
});

/** A panel at a service elsewhere, all of whose ports are slow, with a result under review. */
export function heldPanel(
  client: Answers = {},
  more: { readonly editor?: Answers; readonly rest?: Answers } = {},
): HeldPanel {
  const ports = new HeldPorts();
  const asked: string[] = [];
  const files = new TextFiles();
  const editor = {
    readSequence: SEQUENCE,
    readTimeline: CUT,
    readNote: null,
    projectId: null,
    projectFolder: null,
    playhead: 4,
    presets: [{ name: "p" }],
    hasEncoder: true,
    exportSequence: { path: "/exports/a.wav", offsetSeconds: 0 },
    ...more.editor,
  };
  const disk = Object.assign(Object.create(files), {
    openWriter: async () => answering(ports, asked, {}),
    makeFolder: async () => undefined,
    rename: async () => undefined,
    readBytes: async () => new Uint8Array(silentWav(1)),
    size: async (path: string) => (path.endsWith(".wav") ? silentWav(1).length : files.size(path)),
  });
  const environment = {
    editor: answering(ports, asked, editor),
    files: ports.wrap(disk),
    secrets: answering(ports, asked, { load: "key" }),
    connect: () => answering(ports, asked, { moments: [], settings: SETTINGS, settingChoices: CHOICES, ...client }),
    findCompanion: async () => null,
    startCompanion: null,
    player: {
      ...answering(ports, asked, {}),
      play: ports.wrap({ play: async () => void asked.push("play") }).play,
      stop: () => void asked.push("stop"),
    },
    ...ports.wrap({
      pickFolder: async () => "/delivered",
      pickFile: async () => ({ name: "p.epr", path: "/presets/p.epr" }),
      pickFiles: async () => [{ name: "p.zip", path: "/models/p.zip" }],
      copyText: async (text: string) => void asked.push(`copied ${text.length > 0}`),
      sentMedia: async () => null,
    }),
    chosenPresets: [],
    versions: {},
    contact: undefined,
    ...more.rest,
  } as unknown as Partial<PanelEnvironment>;
  const made = sessionInMemory(environment, files);
  const { session, clock } = made;
  // Who waits for time to pass waits no longer than that takes.
  ports.whenIdle = async () => {
    if (clock.sleeping === 0) return false;
    await clock.pass(1000);
    return true;
  };
  const review = openReview(RESULT, jobEntry({ serviceAddress: ADDRESS }));
  session.store.set({
    service: { address: ADDRESS },
    shownKey: "••••",
    jobs: [jobEntry({ runId: "other", serviceAddress: ADDRESS }), jobEntry({ serviceAddress: ADDRESS })],
    review,
    reviewer: "Ada",
    serviceSettings: SHOWN as never,
    modelsHere: { address: ADDRESS, reply: fetching("done"), question: null } as never,
  });
  // Preferences are kept beside what is done.
  session.keepPreferences = () => undefined;
  return { ...made, files, ports, asked, connection: new ServiceConnection(session) };
}

export function withState(
  panel: HeldPanel,
  change: object,
  more: (session: Session) => void = () => undefined,
): HeldPanel {
  panel.session.store.set(change);
  more(panel.session);
  return panel;
}
