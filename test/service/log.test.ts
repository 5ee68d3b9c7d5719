import { homedir } from "node:os";
import { expect, test } from "vitest";
import { hideSecrets } from "../../src/core/text.ts";
import { loggerSettings } from "../../src/service/log.ts";
import { uniqueClip } from "./clips.ts";
import { eventually, finished, form, startTestService } from "./service-fixture.ts";

test("redaction takes out keys, signed queries and credentials, and leaves the rest", () => {
  const key = `aside_${"x".repeat(43)}`;
  expect(
    hideSecrets(`key ${key} at https://host/path/a.mp4?X-Goog-Signature=abc&e=1 via postgres://me:secret@db/x`),
  ).toBe("key [hidden] at https://host/path/a.mp4?[hidden] via postgres://db/x");
  expect(hideSecrets("an ordinary sentence: 3 of 4?")).toBe("an ordinary sentence: 3 of 4?");
});

test("no key, signed link or local path reaches the log", async () => {
  const lines: string[] = [];
  const service = await startTestService(
    { job_attempts: 1 },
    { log: { level: "debug", stream: { write: (line) => void lines.push(line) } } },
  );
  try {
    const { body: media } = await service.send("POST", "upload_media", form(await uniqueClip()));
    const input = { type: "media_id", media_id: media.media_id };
    const { body: job } = await service.send("POST", "generate_ad_audio", { input });
    const done = await finished(service, job.job_id);
    await service.follow(done.audio_signed_url);
    await service.follow(`${done.audio_signed_url}x`);
    const { body: bad } = await service.send("POST", "generate_ad_text", {
      input,
      generation_config: { custom_instructions: "raise" },
    });
    await finished(service, bad.job_id);
    const text = await eventually(async () => {
      const written = lines.join("");
      return written.includes("a fault of the pipeline") ? written : undefined;
    });
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(text).toContain(job.job_id);
    expect(text).not.toContain(service.key);
    expect(text).not.toContain("signature=");
    expect(text).not.toContain(service.dataFolder);
    expect(text).not.toContain(homedir() === "/" ? "\u0000" : `${homedir()}/`);
  } finally {
    await service.close();
  }
});

test("a key, a signed query or a password in any member of any line comes out hidden, and no place of this computer", () => {
  const key = `aside_${"k".repeat(43)}`;
  const lines: string[] = [];
  const logger = loggerSettings("/srv/data", { stream: { write: (line) => void lines.push(line) } });
  if (typeof logger !== "object" || logger?.stream === undefined) throw new Error("no stream");
  const secrets = [key, `Bearer ${key}`, "https://host/a.mp4?X-Goog-Signature=5ec2e7", "postgres://me:5ec2e7@db/x"];
  for (const secret of secrets) {
    for (const member of ["msg", "err", "reqId", "forgotten"])
      logger.stream.write(`${JSON.stringify({ [member]: secret })}\n`);
  }
  logger.stream.write(`${JSON.stringify({ path: "/srv/data/teams/a" })}\n`);
  expect(lines).toHaveLength(4 * secrets.length + 1);
  const text = lines.join("");
  for (const secret of [key, "5ec2e7", "/srv/data"]) expect(text).not.toContain(secret);
  expect(text).toContain("<data>/teams/a");
});

test("nothing in a line of the log is obeyed by the terminal that shows it", () => {
  const lines: string[] = [];
  const logger = loggerSettings("/data", { stream: { write: (line) => void lines.push(line) } });
  if (typeof logger !== "object" || logger?.stream === undefined) throw new Error("no stream");
  logger.stream.write('{"msg":"\u009b2J\u202e"}\n');
  expect(lines).toEqual(['{"msg":"\\u009b2J\\u202e"}\n']);
});
