import { equalRates, type FrameRate, framesPerSecond } from "../../../src/core/frame-rate.ts";
import { parseTimecode } from "../../../src/core/parse-timecode.ts";
import { parseRateName } from "../../../src/core/rate-name.ts";
import { sampleProject, TICKS_PER_FRAME } from "../../../test/fakes/premiere/sample-project.ts";
import type { DisplayFormat, ProjectState } from "../../../test/fakes/premiere/state.ts";
import type { PageSettings } from "../preview-server.ts";
import type { PreviewSwitches } from "./switches.ts";

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
