import { isDirectionAlone } from "../../core/direction.ts";
import { secondsFromFrames } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { parseTimeText, type TimeText } from "../clock-time.ts";
import { kindOfName } from "../gate/wording.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { UNIT_WORDS } from "./head-words.ts";

/** What numbers of a column count. */
export type CellUnit = "milliseconds" | "seconds" | "frames";

/** A time as tables have it; an empty cell is none, nor a whole number alone, which counts rows. */
function timeOf(value: string): TimeText | null {
  return /^\d*$/.test(value) ? null : parseTimeText(value);
}

/** What may stand between the two times of a cell that holds both. */
const BETWEEN_TIMES = /\s*(?:-->|→|[-–—/]|\bto\b)\s*|\s+/;

/** The times of a cell: one, or in and out together. */
export function timesOf(value: string): readonly TimeText[] {
  const one = timeOf(value);
  if (one !== null) return [one];
  // Words are no times, however they begin.
  if (!/^\d/.test(value) || value.length > 40) return [];
  const parts = value.split(BETWEEN_TIMES).map(timeOf);
  const [start, end] = parts;
  return parts.length === 2 && start && end ? [start, end] : [];
}

const NUMBER = /^(\d{1,10}(?:[.,]\d{1,9})?)\s*(["″”]|\p{L}{1,12}\.?)?$/u;

/** The number of a cell, and the unit behind it where one stands there; `null` for any other cell. */
function numberOf(value: string): { readonly count: number; readonly unit: CellUnit | null } | null {
  const [, digits, behind] = NUMBER.exec(value) ?? [];
  if (digits === undefined) return null;
  const unit = behind === undefined ? null : /["″”]/.test(behind) ? "seconds" : unitOf(behind);
  return behind !== undefined && unit === null ? null : { count: Number(digits.replace(",", ".")), unit };
}

const UNITS: ReadonlyMap<string, CellUnit> = new Map(
  (["milliseconds", "seconds", "frames"] as const).flatMap((unit) =>
    UNIT_WORDS[unit].split("|").map((word) => [plainTitle(word), unit] as const),
  ),
);

/** The unit that a word stands for, with or without a full stop: `Sek.`. */
export function unitOf(word: string): CellUnit | null {
  return UNITS.get(plainTitle(word)) ?? null;
}

/** A title as it is looked up: in small letters, without accents, hyphens and a mark at its end. */
export function plainTitle(title: string): string {
  const letters = title.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
  return foldWhiteSpace(letters.replace(/[-_]/g, " ").replace(/\s*[.:：]\s*$/, ""));
}

/** How the numbers of a column are told. */
export interface CellTiming {
  /** What its head says that numbers count; `null` where it says nothing. */
  readonly unit: CellUnit | null;
  /** The grid of frames; without one, frames are no times. */
  readonly grid: FrameGrid | undefined;
  /** Frames a second that the row itself states, for labels of minutes, seconds and frames. */
  readonly ownRate: number | null;
}

/** A cell as one time or length; `null` for one that holds none. */
export function cellTime(value: string, { unit: headUnit, grid, ownRate }: CellTiming): TimeText | null {
  if (ownRate !== null) {
    const frames = framesOfLabel(value, ownRate);
    if (frames !== null) return { kind: "clock", seconds: frames / ownRate };
    if (/^\d{1,15}$/.test(value)) return { kind: "clock", seconds: Number(value) / ownRate };
  }
  const number = numberOf(value);
  if (number === null) return parseTimeText(value);
  const { count } = number;
  const unit = number.unit ?? headUnit;
  // A number of no unit is read as everywhere: seconds, unless something else speaks for another.
  if (unit === null) return parseTimeText(value);
  if (unit !== "frames") return { kind: "clock", seconds: unit === "milliseconds" ? count / 1000 : count };
  return grid === undefined ? null : { kind: "clock", seconds: secondsFromFrames(Math.round(count), grid.rate) };
}

/** Frames of `MM:SS:FF` or `HH:MM:SS:FF` at whole frames a second, as Audition writes them. */
function framesOfLabel(value: string, rate: number): number | null {
  const parts = /^(?:(\d{1,3})[:;])?(\d{1,3})[:;](\d{1,2})[:;](\d{1,3})$/.exec(value);
  if (parts === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0", frames = "0"] = parts;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * rate + Number(frames);
}

/** The frames or samples a second that a cell of the column "Time Format" states: `75 fps`, `44100 Hz`; `null` for any other. */
export function statedRate(format: string): number | null {
  const rate = /(\d{1,3}(?:\.\d{1,3})?)\s*fps|(\d{4,6})\s*Hz/i
    .exec(format)
    ?.slice(1)
    .find((one) => one !== undefined);
  return rate === undefined ? null : Math.round(Number(rate));
}

/** What a cell that is no words shows itself to be. */
export type NoWords = "number" | "time" | "file" | "code" | "direction";

/** What a cell holds, where it holds no words. */
export function kindOfCell(value: string): NoWords | null {
  if (timesOf(value).length > 0) return "time";
  if (numberOf(value) !== null) return "number";
  return kindOfName(value) ?? (isDirectionAlone(value) ? "direction" : null);
}

/** Letters that stand together: what makes words of a value. */
const WORD = /\p{L}[\p{L}\p{M}'’]*/gu;

/** Scripts that part no words. */
const UNPARTED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** How many words a cell holds; 0 where it is something else. In scripts that part none, two letters count as one. */
export function wordsIn(value: string): number {
  if (kindOfCell(value) !== null) return 0;
  const unparted = value.match(UNPARTED)?.length ?? 0;
  return unparted > 0 ? unparted / 2 : (value.match(WORD)?.length ?? 0);
}
