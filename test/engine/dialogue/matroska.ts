/** A subtitle track of a made Matroska file. */
export interface MadeSubtitles {
  /** Such as `S_TEXT/UTF8`, `S_TEXT/ASS`, `D_WEBVTT/SUBTITLES`. */
  readonly codec: string;
  readonly language: string;
  readonly title?: string;
  readonly isDefault?: boolean;
  readonly isForced?: boolean;
  /** Head of the track, which ASS needs. */
  readonly head?: string;
  /** Start and length in milliseconds, and the text as it is stored. */
  readonly entries: readonly (readonly [start: number, length: number, text: string])[];
}

/** A Matroska file (RFC 9559) of subtitles alone. @param links Elements of its information beside the usual ones. */
export function matroskaOf(tracks: readonly MadeSubtitles[], links: readonly Buffer[] = []): Buffer {
  const head = element(0x1a45dfa3, element(0x4282, "matroska"), element(0x4287, 4), element(0x4285, 2));
  const info = element(
    0x1549a966,
    element(0x2ad7b1, 1_000_000),
    element(0x4d80, "test"),
    element(0x5741, "test"),
    ...links,
  );
  const entries = tracks.map((track, index) =>
    element(
      0xae,
      element(0xd7, index + 1),
      element(0x73c5, index + 1),
      element(0x83, 0x11),
      element(0x86, track.codec),
      element(0x22b59c, track.language),
      element(0x536e, track.title ?? ""),
      element(0x88, track.isDefault === true ? 1 : 0),
      element(0x55aa, track.isForced === true ? 1 : 0),
      ...(track.head === undefined ? [] : [element(0x63a2, track.head)]),
    ),
  );
  const blocks = tracks.flatMap((track, index) =>
    track.entries.map(([start, length, text]) => {
      const block = Buffer.from([0x80 | (index + 1), start >> 8, start & 0xff, 0]);
      const group = element(0xa0, element(0xa1, Buffer.concat([block, Buffer.from(text)])), element(0x9b, length));
      return { start, group };
    }),
  );
  const ordered = blocks.toSorted((a, b) => a.start - b.start).map(({ group }) => group);
  return Buffer.concat([
    head,
    element(0x18538067, info, element(0x1654ae6b, ...entries), element(0x1f43b675, element(0xe7, 0), ...ordered)),
  ]);
}

/** An element of EBML. */
export function element(id: number, ...parts: readonly (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) =>
      typeof part === "number" ? bigEndian(part) : typeof part === "string" ? Buffer.from(part) : part,
    ),
  );
  const size = Buffer.alloc(8);
  size.writeUInt32BE(0x01000000, 0);
  size.writeUInt32BE(body.length, 4);
  return Buffer.concat([bigEndian(id), size, body]);
}

function bigEndian(value: number): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}
