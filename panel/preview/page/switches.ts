import { type Faults, NO_FAULTS } from "../../../test/fakes/premiere/faults.ts";

/** What the address of the preview's page can ask for, beside Premiere's own faults. */
export interface PreviewSwitches {
  readonly faults: Partial<Faults>;
  /** Rate and counting of the sequence, as editors write them; default: what fits the media. */
  readonly display: string | null;
  /** Label of the first frame; default 00:00:00:00. */
  readonly zeroPoint: string | null;
  /** In and out point in seconds. */
  readonly inSeconds: number | null;
  readonly outSeconds: number | null;
  /** Secure storage is empty each time the panel opens. */
  readonly forgetsKey: boolean;
  /** Bytes left on the disk. */
  readonly room: number | null;
  /** Milliseconds that each export takes longer. */
  readonly renderDelayMs: number;
  /** How many times faster the panel's pauses pass, for tests. */
  readonly haste: number;
  /** Milliseconds that each timer is late, and each call to the disk by chance up to that: a computer that is busy. */
  readonly lagMs: number;
  /** Name of the pretended computer, in small letters and digits: another one is new and empty. */
  readonly computer: string;
  /** What is open: a project with a sequence, one whose media is offline, one without sequence, or nothing. */
  readonly open: string;
  /** `darkest`, `dark` or `light`. */
  readonly theme: string;
  /** Width of the panel in pixels. */
  readonly width: number;
}

/** Reads the switches from the query string. Names of {@link Faults} are its own: `?export=fails&importDelay=3`. */
export function readSwitches(query: string): PreviewSwitches {
  const given = new URLSearchParams(query);
  const number = (name: string) => (given.has(name) ? Number(given.get(name)) : null);
  return {
    faults: readFaults(given),
    display: given.get("display"),
    zeroPoint: given.get("zero"),
    inSeconds: number("in"),
    outSeconds: number("out"),
    forgetsKey: given.get("storage") === "forgets",
    room: number("room"),
    renderDelayMs: number("render") ?? 0,
    haste: number("haste") ?? 1,
    lagMs: number("lag") ?? 0,
    computer: given.get("computer") ?? "computer",
    open: given.get("open") ?? "sequence",
    theme: given.get("theme") ?? "darkest",
    width: number("width") ?? 380,
  };
}

/** The faults that are named in a query; `transaction` is written as `2:throws`, `members` as
 * `Project.getSequence:later`. */
function readFaults(given: URLSearchParams): Partial<Faults> {
  const faults: Record<string, unknown> = {};
  for (const name of Object.keys(NO_FAULTS)) {
    const text = given.get(name);
    if (text === null) continue;
    const [at, how] = text.split(":");
    const isNumber = /^(\d+|Infinity)$/.test(text);
    if (name === "members") faults[name] = { [at ?? ""]: how };
    else faults[name] = name === "transaction" ? { at: Number(at), how } : isNumber ? Number(text) : text;
  }
  // Typed by the person: a value that no fault knows does nothing.
  return faults as Partial<Faults>;
}
