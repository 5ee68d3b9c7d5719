import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { Packet } from "node-av/lib";
import { beforeAll, describe, expect, test } from "vitest";
import { analyseProgramme } from "../../../../../src/service/analyse/analyse-programme.ts";
import { CheckedDecoder } from "../../../../../src/service/ffmpeg/decode/hardware/checked-decoder.ts";
import {
  HardwareFailure,
  type OpenHardware,
} from "../../../../../src/service/ffmpeg/decode/hardware/hardware-decoder.ts";
import { openPlatformDecoder } from "../../../../../src/service/ffmpeg/decode/hardware/platform-decoder.ts";
import { openMedia } from "../../../../../src/service/ffmpeg/open.ts";
import { packetsOf } from "../../../../../src/service/ffmpeg/packets.ts";
import { pictureStream } from "../../../../../src/service/ffmpeg/probe/media-streams.ts";
import { probeMedia } from "../../../../../src/service/ffmpeg/probe/probe.ts";
import { ABSENT_HARDWARE, doubleOfHardware } from "../../../../fakes/hardware-decoders.ts";
import { sharedMedia } from "../../../../shared-media.ts";
import { temporaryFolder } from "../../../../temporary-folder.ts";

/** Five seconds with pictures made from later ones, 120 pictures. */
const SHORT = "containers/sintel-5s.mp4";
const SHORT_PICTURES = 120;

/** Half a minute with a key picture every few seconds. */
const LONG = "described/chrome-fast/chrome.mp4";

let folder = "";
let runs = 0;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** How many pictures a checked double gives of a film before it fails, and whether it fails. */
async function givenBefore(film: string, faults: Parameters<typeof doubleOfHardware>[0]) {
  using media = await openMedia(sharedMedia(film));
  const stream = pictureStream(media.context);
  if (stream === null) throw new Error("a film without picture");
  using decoder = new CheckedDecoder(doubleOfHardware(faults)(stream), stream);
  let given = 0;
  const count = (packet: Packet | null) => {
    for (const _ of decoder.decode(packet)) given++;
  };
  try {
    for await (const packet of packetsOf(media, [stream.index])) count(packet);
    count(null);
    return { given, fails: false };
  } catch (error) {
    expect(error).toBeInstanceOf(HardwareFailure);
    return { given, fails: true };
  }
}

/** An analysis with the bytes of its files, and why hardware did not decode, as often as that was said. */
async function analysed(film: string, openHardware?: OpenHardware) {
  const path = sharedMedia(film);
  const own = join(folder, String(runs++));
  const failures: string[] = [];
  const analysis = await analyseProgramme(path, await probeMedia(path), {
    folder: own,
    ...(openHardware === undefined ? {} : { openHardware }),
    onSoftware: ({ message }) => void failures.push(message),
  });
  const names = (await readdir(own)).sort();
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(own, name), "base64")]));
  return { seen: { analysis, files }, failures };
}

describe("a picture decoded by hardware", () => {
  test.each([
    SHORT,
    LONG,
    "containers/sintel-5s.webm",
    "containers/cursed-vfr.mp4",
    "containers/h265-aac.mp4",
    "negative/video.mp4",
  ])(
    "is seen as with software alone, and decoded once, where the hardware is right: %s",
    async (film) => {
      const { seen, failures } = await analysed(film, doubleOfHardware());
      expect(failures).toEqual([]);
      expect(seen).toEqual((await analysed(film)).seen);
    },
    120_000,
  );

  test("is seen as with software alone, and why is said once, whatever goes wrong at whatever picture", async () => {
    const { seen: right } = await analysed(SHORT);
    const picture = fc.nat(SHORT_PICTURES - 1);
    const fault = fc.oneof(
      fc.record({ refuses: picture }),
      fc.record({ loses: picture }),
      fc.record({ greenFrom: fc.nat(3) }),
      fc.constant({ refusesEnd: true }),
    );
    await fc.assert(
      fc.asyncProperty(fault, async (faults) => {
        const { seen, failures } = await analysed(SHORT, doubleOfHardware(faults));
        expect(failures).toHaveLength(1);
        expect(seen).toEqual(right);
      }),
      {
        numRuns: 12,
        examples: [[{ loses: 0 }], [{ loses: SHORT_PICTURES - 1 }], [{ refuses: 0 }], [{ greenFrom: 0 }]],
      },
    );
  }, 240_000);

  test("is given up at the very picture that is lost or false", async () => {
    expect(await givenBefore(SHORT, {})).toEqual({ given: SHORT_PICTURES, fails: false });
    await fc.assert(
      fc.asyncProperty(fc.nat(SHORT_PICTURES - 1), async (loses) => {
        expect(await givenBefore(SHORT, { loses })).toEqual({ given: loses, fails: true });
      }),
      { numRuns: 8, examples: [[0], [SHORT_PICTURES - 1]] },
    );
    expect((await givenBefore(SHORT, { greenFrom: 0 })).given).toBeLessThan(4);
  }, 120_000);

  test("is seen as with software alone where the hardware turns green in the middle", async () => {
    const { seen: right } = await analysed(LONG);
    const { seen, failures } = await analysed(LONG, doubleOfHardware({ greenFrom: 150 }));
    expect(failures).toEqual([
      expect.stringMatching(/^the double is not to be trusted: its picture at \d+\.\d\d s differs/),
    ]);
    expect(seen).toEqual(right);
  }, 120_000);

  test("is left to software where there is no hardware for it", async () => {
    const { seen: right } = await analysed(SHORT);
    expect(await analysed(SHORT, ABSENT_HARDWARE)).toEqual({ seen: right, failures: ["there is none here"] });
  }, 120_000);

  test("is seen as with software alone with what this computer has", async () => {
    const { seen: right } = await analysed(SHORT);
    const { seen, failures } = await analysed(SHORT, openPlatformDecoder);
    expect(failures.length).toBeLessThanOrEqual(1);
    // Hardware filters all pictures, software leaves it out for some: shots and times alone are the same then.
    if (failures.length === 1) expect(seen).toEqual(right);
    expect(seen.analysis.shots.map(({ start }) => start)).toEqual(right.analysis.shots.map(({ start }) => start));
  }, 120_000);
});
