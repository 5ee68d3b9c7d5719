import { expect, test } from "vitest";
import { aside } from "../run-aside.ts";

const OFF = { ASIDE_VISION_URL: "off" };

test("GEN-11: aside voices lists 31 names with what they speak, and narrows to a language", async () => {
  const all = await aside(["voices"]);
  expect(all.stdout.trim().split("\n")).toHaveLength(32);
  expect(all.stdout).toMatch(/^Achernar +female +\d+ languages$/m);
  expect(all.stdout).toMatch(/^Kore \* +female/m);
  const german = JSON.parse((await aside(["voices", "--language", "de-DE", "--json"])).stdout);
  expect(german[0]).toMatchObject({
    name: "Achernar",
    isConfirmed: true,
    languages: expect.arrayContaining(["de-DE"]),
  });
  expect((await aside(["voices", "--language", "xx-QQ"])).stdout).toBe("No voice speaks xx-QQ.\n");
});

test("a voice that is configured by halves is named", async () => {
  const { code, stderr } = await aside(["voices"], { env: { ASIDE_VOICE_URL: "http://127.0.0.1:9" } });
  expect(code).toBe(2);
  expect(stderr).toContain("ASIDE_VOICE_MODEL");
});

test("aside describers lists what can write, in the order of choice", async () => {
  const { stdout } = await aside(["describers"], { env: OFF });
  expect(stdout).toMatch(
    /^NAME +READY +WHAT\nscript +ready .*\nvision +no +switched off.*\ntext +ready .*\nscreen text +ready .*\beng\b/,
  );
  const states = JSON.parse((await aside(["describers", "--json"], { env: OFF })).stdout);
  expect(states.map(({ name }: { name: string }) => name)).toEqual(["script", "vision", "text", "screen text"]);
  const unread = await aside(["describers"], { env: { ...OFF, ASIDE_OCR_DATA: "off" } });
  expect(unread.stdout).toMatch(/^screen text +no +switched off/m);
});
