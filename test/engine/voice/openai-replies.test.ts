import { describe, expect, test } from "vitest";
import { OpenAiSpeechVoice } from "../../../src/engine/voice/openai-speech.ts";
import { VoiceUnavailableError } from "../../../src/engine/voice/voice.ts";
import { OPENAI_VOICES } from "../../../src/engine/voice/voice-names.ts";
import { startModelServer } from "../../fakes/model-server.ts";

/** A voice at a server that gives one answer, and would be asked again at once. */
async function answering(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  const server = await startModelServer(() => ({ status, body, headers: { "retry-after-ms": "1", ...headers } }));
  const voice = new OpenAiSpeechVoice({
    ...{ baseUrl: `${server.origin}/v1`, model: "kokoro", apiKey: "secret-key", timeoutSeconds: 20 },
    names: { own: { Kore: "af_kore" }, byGender: OPENAI_VOICES, languages: ["en"] },
  });
  const speak = () => voice.speak({ text: "A woman sits.", language: "en-GB", voice: "Kore", rate: 1 });
  return { speak, asked: server.asked };
}

describe("what a speech server answers", () => {
  test.each([
    ["audio/pcm;rate=8000", 8_000],
    ["audio/l16; rate=192000", 192_000],
    ["audio/pcm;rate=7999", 24_000],
    ["audio/pcm;rate=192001", 24_000],
    ["audio/pcm", 24_000],
  ])("hears samples without a header at a rate that speech comes at: %s", async (type, rate) => {
    const { speak } = await answering(200, '"'.repeat(4_800), { "content-type": type });
    expect((await speak()).sampleRate).toBe(rate);
  });

  test.each([
    ["a busy server, three times", 503, {}, 3, "speech_unreachable"],
    ["a fault of the server, three times", 500, {}, 3, "speech_unreachable"],
    ["one that was too slow for itself, three times", 408, {}, 3, "speech_unreachable"],
    ["one with several answers, once", 300, {}, 1, "speech_refused"],
    ["one that says “in eleven minutes”, once", 429, { "retry-after-ms": "660000" }, 1, "speech_rate_limited"],
    ["an empty account, once", 402, {}, 1, "speech_out_of_credit"],
    ["a conflict, three times", 409, {}, 3, "speech_refused"],
    ["a fault that the server knows to last, once", 500, { "x-should-retry": "false" }, 1, "speech_unreachable"],
    ["a refusal that the server knows to pass, three times", 400, { "x-should-retry": "true" }, 3, "speech_refused"],
    ["a refusal, once", 403, {}, 1, "speech_refused"],
    ["a redirect, once", 302, { location: "/elsewhere" }, 1, "speech_refused"],
  ])("asks %s, and then says what it was", async (_, status, headers, times, code) => {
    const { speak, asked } = await answering(status, "", headers);
    const refused = { code, message: expect.stringContaining(`status ${status}`) };
    await expect(speak()).rejects.toMatchObject(refused);
    expect(asked).toHaveLength(times);
  });

  test.each([
    [
      "a wrong key",
      401,
      '{"error":{"message":"bad key secret-key"}}',
      "speech_refused",
      "“bad key …” Check ASIDE_VOICE_KEY",
    ],
    ["no such model", 404, '{"error":{"message":"model not found"}}', "speech_refused", "“model not found”"],
    [
      "an account that is used up",
      429,
      '{"error":{"code":"insufficient_quota"}}',
      "speech_out_of_credit",
      "status 429",
    ],
    ["words that are no error", 409, '{"detail":"out of memory"}', "speech_refused", "“out of memory”"],
    ["a page of a proxy", 200, "<html>Sign in</html>", "speech_unreadable", "no sound that can be read"],
    ["an error with status 200", 200, '{"error":"busy"}', "speech_refused", "“busy”"],
  ])("says what is wrong for %s, in the server's words and without the key", async (_, status, body, code, words) => {
    const type = body.startsWith("<") ? "text/html" : "application/json";
    const { speak } = await answering(status, body, { "content-type": type });
    const error = await speak().catch((raised: unknown) => raised);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(String(error)).not.toContain("secret-key");
  });

  test.each([
    [400, '{"error":{"message":"unknown voice af_kore"}}'],
    [404, '{"error":{"code":"voice_not_found"}}'],
    [422, '{"error":"no such language"}'],
    [400, "unknown voice"],
  ])("takes a refusal of the voice for a voice that is not available: %i %s", async (status, body) => {
    const { speak } = await answering(status, body);
    await expect(speak()).rejects.toThrow(VoiceUnavailableError);
  });

  test("takes a page of a proxy for no word about the voice", async () => {
    const { speak } = await answering(404, '<html lang="en">Not here</html>');
    await expect(speak()).rejects.toMatchObject({ code: "speech_refused" });
  });
});
