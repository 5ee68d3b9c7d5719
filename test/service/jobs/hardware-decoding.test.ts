import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { analyseProgramme } from "../../../src/service/analyse/analyse-programme.ts";
import { probeMedia } from "../../../src/service/ffmpeg/probe/probe.ts";
import { HardwareDecoding } from "../../../src/service/jobs/hardware-decoding.ts";
import { ScreenTextReader } from "../../../src/service/ocr/text-reading.ts";
import { doubleOfHardware } from "../../fakes/hardware-decoders.ts";
import { sharedBytes, sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { generate, startRealService, upload } from "../real-service.ts";

const FILM = "containers/sintel-5s.mp4";

afterEach(() => vi.unstubAllEnvs());

/** What decodes an attempt at a job, as the log says it, once the film is analysed. */
async function usedFor(environment: Record<string, string>, folder: string, faults = {}) {
  const decoding = await HardwareDecoding.forAttempt(environment, folder, doubleOfHardware(faults));
  await analyseProgramme(sharedMedia(FILM), await probeMedia(sharedMedia(FILM)), {
    folder: join(folder, "analysis"),
    onSoftware: (failure) => decoding.failed(failure),
    ...(decoding.open === undefined ? {} : { openHardware: decoding.open }),
  });
  return decoding.used;
}

describe("what decodes the picture of a job", () => {
  const ON = { ASIDE_HARDWARE_DECODING: "on" };

  test.each([{}, { ASIDE_HARDWARE_DECODING: "off" }, { ASIDE_HARDWARE_DECODING: "perhaps" }])(
    "is software with %o",
    async (environment) => {
      expect(await usedFor(environment, await temporaryFolder())).toBe("software");
    },
    60_000,
  );

  test("is hardware where it is switched on, and software, with the reason, where that fails", async () => {
    expect(await usedFor(ON, await temporaryFolder())).toBe("the double");
    expect(await usedFor(ON, await temporaryFolder(), { refuses: 9 })).toBe("software, because it broke");
  }, 60_000);

  test("is software for each attempt after one that tried hardware", async () => {
    const folder = await temporaryFolder();
    await HardwareDecoding.forAttempt(ON, folder, doubleOfHardware());
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await usedFor(ON, folder)).toMatch(/^software, because an earlier attempt/);
    }
  }, 60_000);

  test("stands in the log of the service, once for each film", async () => {
    vi.stubEnv("ASIDE_HARDWARE_DECODING", "on");
    vi.stubEnv("ASIDE_VISION_URL", "off");
    const lines: string[] = [];
    const log = { level: "info", stream: { write: (line: string) => void lines.push(line) } } as const;
    const service = await startRealService({}, { log });
    try {
      const mediaId = await upload(service, await sharedBytes(FILM));
      for (let job = 0; job < 2; job++) await generate(service, "text", mediaId);
    } finally {
      await service.close();
    }
    const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "job done");
    expect(told.map(({ decoder }) => decoder)).toEqual([
      // What the computer has that the test runs on.
      expect.stringMatching(/^(VideoToolbox|D3D11VA|VAAPI|NVDEC|software, because .+)$/),
      undefined,
    ]);
  }, 120_000);
});

test("a reader that forgot what it read reads what stands there now", async () => {
  const folder = await temporaryFolder();
  const film = sharedMedia("speech/sintel-excerpt.mp4");
  const { lettering, keyFrames } = await analyseProgramme(film, await probeMedia(film), { folder });
  const [title, other] = [join(folder, lettering[0]?.file ?? ""), join(folder, keyFrames[0]?.file ?? "")];
  await using reading = new ScreenTextReader("en-US", {});
  const words = { lines: ["THE BLENDER FOUNDATION", "presents"] };
  expect(await reading.read(title)).toMatchObject(words);
  await copyFile(other, title);
  expect(await reading.read(title)).toMatchObject(words);
  reading.forget();
  expect(await reading.read(title)).toMatchObject({ lines: [] });
}, 120_000);
