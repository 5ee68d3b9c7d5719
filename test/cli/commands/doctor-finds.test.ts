import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideAlone } from "../run-aside.ts";

test("says what does not work, without a password, and ends with 1", async () => {
  const env = {
    DATABASE_URL: "postgres://aside:secret@127.0.0.1:1/none",
    ASIDE_STORAGE: "s3://none?endpoint=http%3A%2F%2F127.0.0.1%3A1",
    ASIDE_VISION_URL: "http://127.0.0.1:1/v1",
    ASIDE_VISION_MODEL: "eyes",
    ASIDE_VOICE_COMMAND: "no list",
  };
  const { code, stdout } = await asideAlone(["doctor", "--data", await temporaryFolder()], env);
  expect(code).toBe(1);
  for (const line of [
    /^records +bad +.*DATABASE_URL/m,
    /^storage +bad +/m,
    /^voice +bad +ASIDE_VOICE_COMMAND/m,
    /^describer +bad +eyes at 127.0.0.1:1, which does not answer/m,
    /^ffmpeg +good /m,
  ])
    expect(stdout).toMatch(line);
  expect(stdout).not.toContain("secret");
});
