import { equalRates, type FrameRate, framesPerSecond } from "../../../src/core/frame-rate.ts";
import { parseRateName, parseTimecode } from "../../../src/core/timecode.ts";
import { type Faults, NO_FAULTS } from "../../../test/fakes/premiere/faults.ts";
import { sampleProject, TICKS_PER_FRAME } from "../../../test/fakes/premiere/sample-project.ts";
import type { DisplayFormat, ProjectState } from "../../../test/fakes/premiere/state.ts";
import type { PageSettings } from "../preview-server.ts";

const TICKS_PER_SECOND = 254_016_000_000n;

/** The rates a sequence can have, the usual counting of each first. */
const DISPLAYS = Object.keys(TICKS_PER_FRAME).filter((name): name is DisplayFormat => name in TICKS_PER_FRAME);

/** The project that is open when the preview starts, or none. */
export function openProject({ media }: PageSettings, switches: PreviewSwitches): ProjectState | null {
  if (switches.open === "nothing") return null;
  const display = DISPLAYS.find((name) => name === switches.display) ?? displayFor(media.rate);
  const ticksPerFrame = TICKS_PER_FRAME[display];
  const frameAt = (seconds: number) => Math.round((seconds * Number(TICKS_PER_SECOND)) / Number(ticksPerFrame));
  const { inSeconds, outSeconds } = switches;
  const project = sampleProject({
    display,
    frames: Math.floor(media.durationSeconds * (Number(TICKS_PER_SECOND) / Number(ticksPerFrame)) + 1e-6),
    zeroPointTicks: BigInt(zeroFrame(switches.zeroPoint, display)) * ticksPerFrame,
    isOffline: switches.open === "offline",
    ...(switches.faults.platform === "Windows" ? { path: "C:\\Projects\\Harbour.prproj" } : {}),
    ...(inSeconds === null ? {} : { inFrame: frameAt(inSeconds) }),
    ...(outSeconds === null ? {} : { outFrame: frameAt(outSeconds) }),
  });
  return switches.open === "project" ? { ...project, activeSequenceId: null } : project;
}

function displayFor(rate: FrameRate): DisplayFormat {
  const rates = DISPLAYS.map((name) => ({ name, rate: parseRateName(name)?.rate }));
  const same = rates.find((one) => one.rate !== undefined && equalRates(one.rate, rate));
  if (same !== undefined) return same.name;
  // Rates that Premiere's sequences have and the double does not play: the one beside it.
  const near = rates.find(
    (one) => one.rate !== undefined && Math.abs(framesPerSecond(one.rate) / framesPerSecond(rate) - 1) < 0.002,
  );
  return near?.name ?? "25";
}

function zeroFrame(label: string | null, display: DisplayFormat): number {
  const format = parseRateName(display);
  if (label === null || format === null) return 0;
  const parsed = parseTimecode(label, format, { dropped: "next", overflow: "clamp" });
  return parsed.ok ? parsed.frame : 0;
}

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
