/** Loudspeakers a channel can belong to, by FFmpeg's names, in the order in which files store them. */
const POSITIONS = [
  "FL", "FR", "FC", "LFE", "BL", "BR", "FLC", "FRC", "BC", "SL", "SR", "TC", "TFL", "TFC", "TFR", "TBL", "TBC", "TBR",
] as const; // biome-ignore format: a table reads better in rows

type Position = (typeof POSITIONS)[number];

/** What each layout of FFmpeg is made of. */
const LAYOUTS: Readonly<Record<string, string>> = {
  mono: "FC",
  stereo: "FL FR",
  "2.1": "FL FR LFE",
  "3.0": "FL FR FC",
  "3.0(back)": "FL FR BC",
  "4.0": "FL FR FC BC",
  quad: "FL FR BL BR",
  "quad(side)": "FL FR SL SR",
  "3.1": "FL FR FC LFE",
  "5.0": "FL FR FC BL BR",
  "5.0(side)": "FL FR FC SL SR",
  "4.1": "FL FR FC LFE BC",
  "5.1": "FL FR FC LFE BL BR",
  "5.1(side)": "FL FR FC LFE SL SR",
  "6.0": "FL FR FC BC SL SR",
  "6.1": "FL FR FC LFE BC SL SR",
  "6.1(back)": "FL FR FC LFE BL BR BC",
  "7.0": "FL FR FC BL BR SL SR",
  "7.1": "FL FR FC LFE BL BR SL SR",
  "7.1(wide)": "FL FR FC LFE BL BR FLC FRC",
  "7.1(wide-side)": "FL FR FC LFE FLC FRC SL SR",
};

/** Layout taken for a number of channels whose positions are not known. */
const BY_COUNT: Readonly<Record<number, string>> = {
  1: "mono",
  2: "stereo",
  3: "3.0",
  4: "quad",
  5: "5.0",
  6: "5.1",
  7: "6.1",
  8: "7.1",
};

/** Which channels a sound has, as far as a mix needs to know. */
export interface ChannelLayout {
  readonly channels: number;
  /** One bit per position, as WAVEFORMATEXTENSIBLE has it; 0 when the positions are not known. */
  readonly mask: number;
  /** Share of each channel's energy in loudness (ITU-R BS.1770-4, table 4): 0 for LFE, 1.41 for surrounds, else 1. */
  readonly weights: readonly number[];
  /** Channels that carry narration: the centre where there is one, else front left and right, else the first. */
  readonly narration: readonly number[];
}

/** Two channels, left and right. */
export const STEREO = channelLayout("stereo", 2);

/**
 * Reads FFmpeg's description of a layout: a name (`5.1(side)`), or a list (`6 channels (FL+FR+...)`). What it does not
 * name, or names with another number of channels than there are, is taken as the usual layout of that many.
 */
export function channelLayout(description: string, channels: number): ChannelLayout {
  const listed = /\(([A-Z+]+)\)$/.exec(description)?.[1]?.replaceAll("+", " ");
  const named = Object.hasOwn(LAYOUTS, description) ? LAYOUTS[description] : listed;
  const positions = [named, LAYOUTS[BY_COUNT[channels] ?? ""]]
    .map(knownPositions)
    .find((list) => list.length === channels);
  if (positions === undefined) {
    return { channels, mask: 0, weights: Array.from({ length: channels }, () => 1), narration: [0] };
  }
  const mask = positions.reduce((bits, position) => bits | (1 << POSITIONS.indexOf(position)), 0);
  return {
    channels,
    mask,
    weights: positions.map((position) => weightOf(position, positions)),
    narration: carriers(positions),
  };
}

function knownPositions(list: string | undefined): Position[] {
  const names = list?.split(" ") ?? [];
  const known = names.flatMap((name) => POSITIONS.filter((position) => position === name));
  return known.length === names.length ? known : [];
}

/** Surrounds stand at 60 to 120 degrees: the side pair, or the back pair where it is the only one. */
function weightOf(position: Position, all: readonly Position[]): number {
  if (position === "LFE") return 0;
  if (position === "SL" || position === "SR") return 1.41;
  return (position === "BL" || position === "BR") && !all.includes("SL") ? 1.41 : 1;
}

function carriers(positions: readonly Position[]): number[] {
  const centre = positions.indexOf("FC");
  if (centre >= 0) return [centre];
  const front = [positions.indexOf("FL"), positions.indexOf("FR")].filter((channel) => channel >= 0);
  return front.length > 0 ? front : [0];
}
