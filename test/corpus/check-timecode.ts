import { type FrameRate, frameRate, framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import {
  canDropFrames,
  formatTimecode,
  framesPerDay,
  type LabelRepair,
  nominalFrameRate,
  parseRateName,
  parseTimecode,
  rateFromDecimal,
  type TimecodeFormat,
} from "../../src/core/timecode.ts";
import { nearestFrame, TICKS_PER_SECOND, ticksFromFrame, ticksOnGrid } from "../../src/host/premiere/ticks.ts";
import { type Check, checked, type FileResult } from "./check.ts";
import { corpusJson } from "./corpus-files.ts";

/** Checks every vector of `corpora/timecode`. */
export function checkTimecode(): FileResult[] {
  return [
    checked("timecode/vtc-parse-cases.json", checkParseCases),
    checked("timecode/eoyilmaz-cases.json", checkTables),
    checked("timecode/day-lengths.json", checkDayLengths),
  ];
}

interface ParseCase {
  readonly rate: string;
  readonly drop_frame: boolean;
  readonly frac: string;
  readonly frames: number;
  readonly timecode: string;
  readonly seconds: string;
  readonly ppro_ticks: number;
}

function checkParseCases(check: Check): void {
  for (const one of corpusJson<ParseCase[]>("timecode/vtc-parse-cases.json")) {
    const rate = fraction(one.rate);
    const format = { rate, isDropFrame: one.drop_frame };
    const [numerator, denominator] = one.frac.split("/").map(Number);
    const exact = (numerator ?? Number.NaN) / (denominator ?? 1);
    check.same(`label of ${one.frames}`, formatTimecode(one.frames, format), one.timecode);
    check.same(`frame of ${one.timecode}`, parseTimecode(one.timecode, format), {
      ok: true,
      frame: one.frames,
      repaired: [],
    });
    check.same(`seconds of ${one.frames}`, secondsFromFrames(one.frames, rate), exact);
    check.same(`frame at ${one.seconds} s`, framesFromSeconds(Number(one.seconds), rate), one.frames);
    const [ticks, perFrame] = [BigInt(one.ppro_ticks), unitsIn(1, rate, Number(TICKS_PER_SECOND))];
    check.same(`ticks of ${one.frames}`, ticksFromFrame(one.frames, perFrame), ticks);
    check.same(`frame of ${one.ppro_ticks} ticks`, nearestFrame(ticks, perFrame), one.frames);
    check.same(`ticks at ${one.seconds} s`, ticksOnGrid(exact, perFrame), ticks);
  }
}

type Args = [rate: string | [number, number], label?: string];
interface Options {
  readonly frames?: number;
  readonly force_non_drop_frame?: boolean;
}
interface Tables {
  readonly tests: Readonly<Record<string, { readonly fields: string; readonly cases: readonly unknown[] }>>;
}

/** How the library the tables come from reads labels that do not exist. */
const REPAIR: LabelRepair = { dropped: "formula", overflow: "carry" };

function checkTables(check: Check): void {
  const { tests } = corpusJson<Tables>("timecode/eoyilmaz-cases.json");
  // The shapes of the tables are those their `fields` name.
  const cases = <Case>(name: string) => (tests[name]?.cases ?? []) as readonly Case[];

  for (const [args, options, expected, isEqual] of cases<[Args, Options, string, boolean]>("test_repr_overload")) {
    check.same(`label of ${args}`, label(args, frameOf(args, options), options) === expected, isEqual);
  }
  type Parts = [Args, Options, number, number, number, number, string | null];
  for (const [args, options, hours, minutes, seconds, frames, text] of cases<Parts>("test_timecode_properties_test")) {
    const written = label(args, frameOf(args, options), options);
    check.same(`parts of ${args}`, written.split(/[:;.]/).map(Number), [hours, minutes, seconds, frames]);
    if (text !== null) check.same(`label of ${args}`, written, text);
  }
  type Drop = [Args, Options, number | null, string | null, string | null];
  for (const [args, options, count, text, next] of cases<Drop>("test_ntsc_drop_frame_conversion")) {
    const frame = frameOf(args, options);
    if (count !== null) check.same(`count of ${args}`, frame + 1, count);
    if (text !== null) check.same(`label of ${args}`, label(args, frame, options), text);
    if (next !== null) check.same(`label behind ${args}`, label(args, frame + 1, options), next);
  }
  for (const rate of cases<string>("test_setting_ntsc_frame_rate_forces_drop_frame")) {
    check.same(`drop-frame at ${rate}`, canDropFrames(rateFromDecimal(Number(rate))), true);
  }
  type Walk = [Args, Options, string, number, string, number];
  for (const [args, options, , steps, text, count] of cases<Walk>("test_iteration")) {
    const frame = frameOf(args, options) + steps;
    check.same(`count ${steps} behind ${args}`, frame + 1, count);
    check.same(`label ${steps} behind ${args}`, comparable(label(args, frame, options)), comparable(text));
  }
  checkSums(check, cases("test_op_overloads_add"), 1);
  checkSums(check, cases("test_op_overloads_subtract"), -1);
  for (const [args, count, frame] of cases<[Args, number, number]>(
    "test_frame_number_attribute_value_is_correctly_calculated",
  )) {
    check.same(`frame of ${args}`, [frameOf(args, {}) + 1, frameOf(args, {})], [count, frame]);
  }
  for (const [args, , , nominal] of cases<[Args, Options, string, number]>("test_rational_framerate_conversion")) {
    check.same(`whole rate of ${args}`, nominalFrameRate(rateOf(args)), nominal);
  }
  for (const [args, options, text] of cases<[Args, Options, string]>("test_rollover")) {
    check.same(`label of count ${options.frames} at ${args}`, label(args, frameOf(args, options), options), text);
  }
  type High = [string, number, boolean, number, string];
  for (const [rate, nominal, isDrop, count, text] of cases<High>("test_generalized_ntsc_rates")) {
    const args: Args = [rate];
    check.same(`whole rate of ${rate}`, nominalFrameRate(rateOf(args)), nominal);
    check.same(`drop-frame at ${rate}`, formatOf(args, {}).isDropFrame, isDrop);
    check.same(`label of count ${count} at ${rate}`, label(args, count - 1, {}), text);
  }
  for (const [rate, nominal, isDrop] of cases<[string, number, boolean]>("test_generalized_ntsc_rational_formats")) {
    check.same(`whole rate of ${rate}`, nominalFrameRate(rateOf([rate])), nominal);
    check.same(`drop-frame at ${rate}`, formatOf([rate], {}).isDropFrame, isDrop);
  }
}

type Sum = [Args, Options, Args, Options, number, number, string, string, number, number];

function checkSums(check: Check, cases: readonly Sum[], sign: 1 | -1): void {
  for (const [first, options, second, more, , offset, text1, text2, count1, count2] of cases) {
    // A count of frames is added as a count: zero is one frame long there.
    const start = frameOf(first, options) + 1;
    const sum = start + sign * (frameOf(second, more) + 1);
    check.same(`count of ${first} ${sign} ${second}`, sum, count1);
    check.same(`label of ${first} ${sign} ${second}`, label(first, sum - 1, options), text1);
    check.same(`count of ${first} ${sign} ${offset}`, start + sign * offset, count2);
    check.same(`label of ${first} ${sign} ${offset}`, label(first, start + sign * offset - 1, options), text2);
  }
}

function rateOf([rate]: Args): FrameRate {
  if (rate === "ms") return frameRate(1000);
  if (typeof rate !== "string") return frameRate(rate[0], rate[1]);
  const named = parseRateName(rate);
  if (named === null) throw new Error(`no rate: ${rate}`);
  return named.rate;
}

/** That library counts multiples of 29.97 as drop-frame unless told not to. */
function formatOf(args: Args, options: Options): TimecodeFormat {
  const rate = rateOf(args);
  return {
    rate,
    isDropFrame: rate.denominator === 1001 && canDropFrames(rate) && options.force_non_drop_frame !== true,
  };
}

function frameOf(args: Args, options: Options): number {
  if (options.frames !== undefined) return options.frames - 1;
  const parsed = parseTimecode(args[1] ?? "00:00:00:00", formatOf(args, options), REPAIR);
  if (!parsed.ok) throw new Error(`${args}: ${parsed.fault}`);
  return parsed.frame;
}

function label(args: Args, frame: number, options: Options): string {
  const format = formatOf(args, options);
  const day = framesPerDay(format);
  const written = formatTimecode(((frame % day) + day) % day, format, args[0] === "ms" ? "." : undefined);
  // The tables write two digits of frames where two do; at 120 this project always writes three.
  return nominalFrameRate(format.rate) > 100 && args[0] !== "ms" ? written.replace(/([:;])0(\d\d)$/, "$1$2") : written;
}

/** The tables of steps write drop-frame labels with either separator. */
function comparable(text: string): string {
  return text.replace(/[;.]/g, ":");
}

function checkDayLengths(check: Check): void {
  type Lengths = Readonly<
    Record<
      "real_seconds_in_10_days_of_timecode" | "samples_at_48kHz_in_1_day_of_timecode",
      Readonly<Record<string, number>>
    >
  >;
  const lengths = corpusJson<Lengths & { frames_in_24_hours_at_30: number }>("timecode/day-lengths.json");
  const tenDays = ({ rate, isDropFrame }: TimecodeFormat) =>
    unitsIn(10 * framesPerDay({ rate, isDropFrame }), rate, 1000);
  for (const [names, seconds] of Object.entries(lengths.real_seconds_in_10_days_of_timecode)) {
    for (const format of namedFormats(names))
      check.same(`ten days of ${names}`, Number(tenDays(format)) / 1000, seconds);
  }
  const days: Readonly<Record<string, string>> = {
    "23.976 family (non-drop)": "23.976,29.97,47.952,59.94,119.88 (non-drop)",
    "whole rates (non-drop)": "24,25,30,48,50,60,90,96,100,120 (non-drop)",
    "29.97d family (rounded)": "29.97d,59.94d,119.88d",
    "30d family": "30d,60d,120d",
  };
  for (const [family, count] of Object.entries(lengths.samples_at_48kHz_in_1_day_of_timecode)) {
    for (const format of namedFormats(days[family] ?? "")) {
      check.same(`samples in a day of ${family}`, Number(unitsIn(framesPerDay(format), format.rate, 48_000)), count);
    }
  }
  check.same(
    "frames in a day at 30",
    framesPerDay({ rate: frameRate(30), isDropFrame: false }),
    lengths.frames_in_24_hours_at_30,
  );
}

/** How many units, so many of them a second, are as long as frames; the nearest whole number. */
function unitsIn(frames: number, { numerator, denominator }: FrameRate, unitsPerSecond: number): bigint {
  const dividend = 2n * BigInt(frames) * BigInt(denominator) * BigInt(unitsPerSecond);
  return (dividend + BigInt(numerator)) / (2n * BigInt(numerator));
}

function namedFormats(names: string): TimecodeFormat[] {
  return names
    .replace(" (non-drop)", "")
    .split(",")
    .map((name) => {
      const format = parseRateName(name);
      if (format === null) throw new Error(`no rate: ${name}`);
      return format;
    });
}

function fraction(text: string): FrameRate {
  const [numerator, denominator] = text.split("/").map(Number);
  return frameRate(numerator ?? 0, denominator ?? 1);
}
