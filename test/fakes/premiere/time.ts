import type { FrameRate, FrameRateStatic, Guid, GuidStatic, TickTime, TickTimeStatic } from "@adobe/premierepro";
import { checkArguments, markKind } from "./arguments.ts";
import { strictObject } from "./strict-object.ts";

const TICKS_PER_SECOND = 254_016_000_000n;
const ticksByTime = new WeakMap<object, bigint>();
const guidTexts = new WeakMap<object, string>();

/** The ticks inside a `TickTime` of the double. */
export function ticksOf(time: TickTime): bigint {
  const ticks = ticksByTime.get(time);
  if (ticks === undefined) throw new Error("Illegal Parameter type (not a TickTime)");
  return ticks;
}

/** A `TickTime` of so many ticks. */
export function tickTime(ticks: bigint): TickTime {
  const members = {
    get seconds() {
      return Number(ticks) / Number(TICKS_PER_SECOND);
    },
    get ticks() {
      return ticks.toString();
    },
    get ticksNumber() {
      return Number(ticks);
    },
    equals: (...given: [TickTime]) => ticks === ticksOf(oneTime("equals", given)),
    add: (...given: [TickTime]) => tickTime(ticks + ticksOf(oneTime("add", given))),
    subtract: (...given: [TickTime]) => tickTime(ticks - ticksOf(oneTime("subtract", given))),
    multiply: (...given: [number]) => {
      checkArguments("TickTime.multiply", given, { required: ["number"] });
      return tickTime(BigInt(Math.round(Number(ticks) * given[0])));
    },
    divide: (...given: [number]) => {
      checkArguments("TickTime.divide", given, { required: ["number"] });
      return tickTime(BigInt(Math.round(Number(ticks) / given[0])));
    },
    alignToNearestFrame: (...given: [FrameRate]) => {
      checkArguments("TickTime.alignToNearestFrame", given, { required: ["FrameRate"] });
      return tickTime(nearestFrameTicks(ticks, BigInt(given[0].ticksPerFrame)));
    },
    alignToFrame: (...given: [FrameRate]) => {
      checkArguments("TickTime.alignToFrame", given, { required: ["FrameRate"] });
      return tickTime(earlierFrameTicks(ticks, BigInt(given[0].ticksPerFrame)));
    },
  } satisfies Partial<TickTime>;
  // The vendor types TickTime with call signatures that only its class has.
  const time = strictObject("TickTime", members) as unknown as TickTime;
  ticksByTime.set(time, ticks);
  return markKind(time, "TickTime");
}

function oneTime(member: string, given: [TickTime]): TickTime {
  checkArguments(`TickTime.${member}`, given, { required: ["TickTime"] });
  return given[0];
}

/** The start of the frame nearest to a time. */
export function nearestFrameTicks(ticks: bigint, ticksPerFrame: bigint): bigint {
  return earlierFrameTicks(2n * ticks + ticksPerFrame, 2n * ticksPerFrame) / 2n;
}

/** The start of the frame that holds a time. */
function earlierFrameTicks(ticks: bigint, ticksPerFrame: bigint): bigint {
  const rest = ticks % ticksPerFrame;
  return ticks - (rest < 0n ? rest + ticksPerFrame : rest);
}

/** `TickTime` as the module offers it. */
export const tickTimeStatic: TickTimeStatic = strictObject("TickTime", {
  createWithSeconds: (...given: [number]) => {
    checkArguments("TickTime.createWithSeconds", given, { required: ["number"] });
    if (given[0] < 0) throw new Error("Illegal Parameter type (TickTime.createWithSeconds: negative)");
    // Seen live: one tick short on some 3 % of the frames at 29.97.
    return tickTime(BigInt(Math.trunc(given[0] * Number(TICKS_PER_SECOND))));
  },
  createWithTicks: (...given: [string]) => {
    checkArguments("TickTime.createWithTicks", given, { required: ["string"] });
    if (!/^-?\d+$/.test(given[0])) throw new Error("Illegal Parameter type (TickTime.createWithTicks: not a number)");
    return tickTime(BigInt(given[0]));
  },
  createWithFrameAndFrameRate: (...given: [number, FrameRate]) => {
    checkArguments("TickTime.createWithFrameAndFrameRate", given, { required: ["number", "FrameRate"] });
    return tickTime(BigInt(given[0]) * BigInt(given[1].ticksPerFrame));
  },
  get TIME_ZERO() {
    return tickTime(0n);
  },
  get TIME_ONE_SECOND() {
    return tickTime(TICKS_PER_SECOND);
  },
  get TIME_ONE_MINUTE() {
    return tickTime(60n * TICKS_PER_SECOND);
  },
  get TIME_ONE_HOUR() {
    return tickTime(3600n * TICKS_PER_SECOND);
  },
  get TIME_MAX() {
    return tickTime(2n ** 62n);
  },
  get TIME_MIN() {
    return tickTime(-(2n ** 62n));
  },
  get TIME_INVALID() {
    return tickTime(-400_000n * TICKS_PER_SECOND);
  },
});

/** A `FrameRate` whose frames last so many ticks. */
export function frameRateOf(ticksPerFrame: bigint): FrameRate {
  const members = {
    ticksPerFrame: Number(ticksPerFrame),
    value: Number(TICKS_PER_SECOND) / Number(ticksPerFrame),
    equals: (...given: [FrameRate]) => {
      checkArguments("FrameRate.equals", given, { required: ["FrameRate"] });
      return BigInt(given[0].ticksPerFrame) === ticksPerFrame;
    },
  } satisfies Partial<FrameRate>;
  // The vendor types FrameRate with call signatures that only its class has.
  return markKind(strictObject("FrameRate", members) as unknown as FrameRate, "FrameRate");
}

/** `FrameRate` as the module offers it. */
export const frameRateStatic: FrameRateStatic = strictObject("FrameRate", {
  createWithValue: (...given: [number]) => {
    checkArguments("FrameRate.createWithValue", given, { required: ["number"] });
    return frameRateOf(BigInt(Math.round(Number(TICKS_PER_SECOND) / given[0])));
  },
});

/** A `Guid` of this text. */
export function guid(text: string): Guid {
  const members = { toString: () => text };
  // The vendor types Guid with call signatures that only its class has.
  const made = markKind(strictObject("Guid", members) as unknown as Guid, "Guid");
  guidTexts.set(made, text);
  return made;
}

/** The text of a `Guid` of the double. */
export function guidText(value: Guid): string {
  const text = guidTexts.get(value);
  if (text === undefined) throw new Error("Illegal Parameter type (not a Guid)");
  return text;
}

/** `Guid` as the module offers it. */
export const guidStatic: GuidStatic = strictObject("Guid", {
  fromString: (...given: [string]) => {
    checkArguments("Guid.fromString", given, { required: ["string"] });
    return guid(given[0]);
  },
});
