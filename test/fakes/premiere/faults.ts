/** What a member does in place of what its declaration says. */
export const OTHERWISE = ["later", "another shape", "refuses", "nothing", "throws late", "missing", "never"] as const;

/** One of {@link OTHERWISE}; by `never` no answer comes at all. */
export type Otherwise = (typeof OTHERWISE)[number];

/** How far a handle may be carried: `commit` expires it after an edit, `await` after any wait at all. */
type Staleness = "commit" | "await";

/**
 * Ways in which a real Premiere was seen, or is feared, to misbehave (`premiere-uxp.md` 6 and 7). All off by default;
 * a test switches on what it is about.
 */
export interface Faults {
  /** Version the double plays: decides which members exist. */
  version: "27.0" | "26.5" | "26.3" | "26.2" | "26.0" | "25.6";
  /** Members that answer otherwise than they are declared to, by name, where the double is asked by way of `otherwise`. */
  members: Readonly<Record<string, Otherwise>>;
  /** System it runs on: on Windows `Project.path` begins with `\\?\`, and a file that is open cannot be removed. */
  platform: "macOS" | "Windows";
  /** How `getMediaFilePath` writes paths on Windows: plain with the drive in capitals, or as `Project.path` does. */
  mediaPaths: "plain" | "long";
  staleness: Staleness;
  /** Throws away every handle once, at the n-th answered question from now; `null` never does. */
  expireAt: number | null;
  /** What `exportSequence` does instead of exporting. */
  export: "works" | "true without a file" | "empty file" | "cancelled" | "fails" | "disk full" | "wrong length";
  /**
   * Media Encoder: not installed; makes what it is given; makes it without any event; queues another job at the same moment;
   * queues another one a moment later; stops at an error; is told to stop by the editor; never begins; takes nothing.
   */
  encoder: "absent" | "works" | "silent" | "crowded" | "joined" | "fails" | "cancelled" | "paused" | "refuses";
  /** Part of the path of presets that no export succeeds with; empty for none. */
  failingPreset: string;
  /** Questions answered before an imported item shows; `Infinity` never shows it. */
  importDelay: number;
  /** Form in which file names and media paths come back. */
  unicodeForm: "NFC" | "NFD";
  /** Which forms of `importFiles` take anything: it has shifted between builds. */
  importForm:
    | "any"
    | "four arguments"
    | "three arguments"
    | "without a bin"
    | "null for the bin"
    | "paths alone"
    | "none";
  /** Whence files are imported: a beta of 27.0 took nothing from below `~/Documents`. */
  importsFrom: "anywhere" | "not below Documents";
  /** What importing a path that is in the project already does. */
  reimport: "duplicate" | "nothing";
  /** Where an overwrite onto a track that does not exist lands. */
  overwrite: "new track" | "nothing" | "first track";
  /** Where an insert onto a track that does not exist lands. */
  insert: "new track" | "nothing";
  /** What inserting does to the sequence's markers: a setting of the editor's ("Ripple sequence markers"). */
  markers: "stay" | "ripple";
  /** What overwrite says to -1 for "no video track". */
  noVideoIndex: "accepted" | "refused";
  /** What becomes of a selection that was just made: usable inside its callback; no longer valid even there; refused when it is used. */
  selection: "in its callback" | "never" | "refused";
  /** What a transaction without actions answers. */
  emptyTransaction: "true" | "false";
  /** What deleting a sequence does, while it answers that it is done. */
  deleteSequence: "works" | "nothing";
  /** What the converters to other programs' forms do. */
  converters: "work" | "true without a file" | "refuse";
  /** Whether the source monitor opens files. */
  sourceMonitor: "works" | "refuses";
  /** The n-th transaction from now fails, in the way named; the ones after it work again. */
  transaction: { readonly at: number; readonly how: "returns false" | "throws" } | null;
  /** The n-th action committed from now is dropped without a word. */
  droppedAction: number | null;
  /** Whether `setMute` does what it says. */
  mute: "works" | "returns false";
  /** What `getVideoDisplayFormat` and its sister report: ExtendScript's codes, or the host's own constants. */
  displayCodes: "ExtendScript" | "constants" | "unknown";
  /** What a cast to the wrong kind gives. */
  wrongCast: "null" | "throws";
  /** What asking for a track that does not exist gives. */
  missingTrack: "null" | "throws";
}

/** A Premiere in good health. */
export const NO_FAULTS: Faults = {
  version: "26.3",
  members: {},
  platform: "macOS",
  mediaPaths: "plain",
  staleness: "commit",
  expireAt: null,
  export: "works",
  encoder: "absent",
  failingPreset: "",
  importDelay: 0,
  unicodeForm: "NFC",
  importForm: "any",
  importsFrom: "anywhere",
  reimport: "duplicate",
  overwrite: "new track",
  insert: "new track",
  markers: "stay",
  noVideoIndex: "accepted",
  selection: "in its callback",
  emptyTransaction: "true",
  deleteSequence: "works",
  converters: "work",
  sourceMonitor: "works",
  transaction: null,
  droppedAction: null,
  mute: "works",
  displayCodes: "ExtendScript",
  wrongCast: "null",
  missingTrack: "null",
};

/** Whether this version has the members that came with 26.3: identities of markers, names of tracks, `hasTranscript`, AAF. */
export function isRecent({ version }: Pick<Faults, "version">): boolean {
  return Number(version) >= 26.3;
}

/**
 * What was measured of each version: the double plays one where these are its faults. Nobody has told anything of 26.0 that 25.6 does
 * not do; of 26.5 and the beta of 27.0 see `premiere-measured.md`, Newer.
 */
export const VERSIONS: Readonly<Record<Faults["version"], Partial<Faults>>> = {
  "25.6": { version: "25.6" },
  "26.0": { version: "26.0" },
  "26.2": { version: "26.2" },
  "26.3": { version: "26.3" },
  "26.5": { version: "26.5", selection: "refused", encoder: "paused" },
  "27.0": {
    version: "27.0",
    selection: "refused",
    encoder: "paused",
    importsFrom: "not below Documents",
    members: { "Project.getSequence": "another shape" },
  },
};
