import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { spokenSeconds } from "../../../src/engine/spoken-line.ts";
import { OpenAiSpeechVoice } from "../../../src/engine/voice/openai-speech.ts";
import { SpeechError, VoiceUnavailableError } from "../../../src/engine/voice/voice.ts";
import { OPENAI_VOICES } from "../../../src/engine/voice/voice-names.ts";
import { spokenWave } from "../../fakes/spoken-wave.ts";
import { voiceSuite } from "../../suites/voice.ts";

/** A request for speech as the server saw it. */
interface Asked {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: {
    readonly model: string;
    readonly voice: string;
    readonly input: string;
    readonly response_format: string;
    readonly speed: number;
  };
}

type Answer = (response: ServerResponse, asked: Asked) => Promise<void> | void;

const speakWave: Answer = async (response, { body }) => {
  response.setHeader("content-type", "audio/wav").end(await spokenWave(body.input, body.speed));
};

let server: Server;
let answer: Answer = speakWave;
const asked: Asked[] = [];

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    text(request)
      .then((body) => {
        // The body is what the adapter under test sent; the assertions look at its members.
        const seen: Asked = {
          path: request.url,
          key: request.headers.authorization,
          body: JSON.parse(body) as Asked["body"],
        };
        asked.push(seen);
        return answer(response, seen);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());
afterEach(() => {
  answer = speakWave;
  asked.length = 0;
});

function speaker(timeoutSeconds = 20): OpenAiSpeechVoice {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return new OpenAiSpeechVoice({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: "kokoro",
    apiKey: "secret-key",
    timeoutSeconds,
    names: { own: { Kore: "af_kore" }, byGender: OPENAI_VOICES, languages: ["en", "de-DE"] },
  });
}

const REQUEST = { text: "A woman sits at a desk.", language: "en-GB", voice: "Kore", rate: 1 };

voiceSuite("openai-speech", {
  open: async () => speaker(),
  speaks: { language: "en-US", voice: "Achernar" },
  lacks: { language: "ja-JP", voice: "Achernar" },
});

describe("openai-speech", () => {
  test("asks for WAV from the model, with the key, the server's voice and the pace", async () => {
    await speaker().speak({ ...REQUEST, rate: 1.1 });
    expect(asked).toEqual([
      {
        path: "/v1/audio/speech",
        key: "Bearer secret-key",
        body: { model: "kokoro", voice: "af_kore", input: REQUEST.text, response_format: "wav", speed: 1.1 },
      },
    ]);
    await speaker().speak({ ...REQUEST, voice: "Charon" });
    await speaker().speak({ ...REQUEST, voice: "Charon" });
    expect(asked.slice(1).map(({ body }) => body.voice)).toEqual(["ballad", "ballad"]);
  });

  test("reads sound whose header leaves its sizes open, and samples without a header", async () => {
    const whole = await speaker().speak(REQUEST);
    answer = async (response, { body }) => {
      const wave = await spokenWave(body.input, 1);
      wave.writeUInt32LE(0xffff_ffff, 4);
      wave.writeUInt32LE(0xffff_ffff, wave.indexOf("data") + 4);
      response.setHeader("content-type", "audio/wav").end(wave);
    };
    expect((await speaker().speak(REQUEST)).samples).toEqual(whole.samples);
    answer = async (response, { body }) => {
      const wave = await spokenWave(body.input, 1);
      response.setHeader("content-type", "audio/pcm;rate=22050").end(wave.subarray(wave.indexOf("data") + 8));
    };
    expect(await speaker().speak(REQUEST)).toEqual({ samples: whole.samples, sampleRate: 22_050 });
    answer = (response) =>
      response.setHeader("content-type", "application/octet-stream").end(Buffer.alloc(48_000, 0x22)) && undefined;
    expect(spokenSeconds(await speaker().speak(REQUEST))).toBeCloseTo(1, 2);
  });

  test("tries again when the server is busy", async () => {
    let tries = 0;
    answer = (response, seen) => {
      tries += 1;
      if (tries === 1) response.writeHead(503, { "retry-after-ms": "1" }).end();
      else return speakWave(response, seen);
    };
    expect(spokenSeconds(await speaker().speak(REQUEST))).toBeGreaterThan(1);
    expect(tries).toBe(2);
  });

  test.each([
    ["a busy server, three times", 503, {}, 3],
    ["too many requests, three times", 429, {}, 3],
    ["a conflict, three times", 409, {}, 3],
    ["a fault that the server knows to last, once", 500, { "x-should-retry": "false" }, 1],
    ["a refusal that the server knows to pass, three times", 400, { "x-should-retry": "true" }, 3],
    ["a refusal, once", 403, {}, 1],
    ["a redirect, once", 302, { location: "/elsewhere" }, 1],
  ])("asks %s, and then says what it was", async (_, status, headers, times) => {
    answer = (response) => response.writeHead(status, { "retry-after-ms": "1", ...headers }).end() && undefined;
    const refused = { code: "speech_refused", message: expect.stringContaining(`status ${status}`) };
    await expect(speaker().speak(REQUEST)).rejects.toMatchObject(refused);
    expect(asked).toHaveLength(times);
  });

  test("tries again when the sound breaks off, and never plays half of it", async () => {
    const whole = await speaker().speak(REQUEST);
    asked.length = 0;
    answer = async (response, seen) => {
      const wave = await spokenWave(seen.body.input, 1);
      response.setHeader("content-type", "audio/wav");
      if (asked.length > 1) response.end(wave);
      else response.write(wave.subarray(0, wave.length / 2), () => response.destroy());
    };
    expect(await speaker().speak(REQUEST)).toEqual(whole);
    expect(asked).toHaveLength(2);
  });

  test.each([
    ["a wrong key", 401, '{"error":{"message":"bad key secret-key"}}', "speech_refused"],
    ["no such model", 404, '{"error":{"message":"model not found"}}', "speech_refused"],
    ["a page of a proxy", 200, "<html>Sign in</html>", "speech_unreadable"],
    ["an error with status 200", 200, '{"error":"busy"}', "speech_unreadable"],
  ])("says what is wrong for %s, without the key", async (_, status, body, code) => {
    answer = (response) =>
      response
        .writeHead(status, { "content-type": body.startsWith("<") ? "text/html" : "application/json" })
        .end(body) && undefined;
    const error = await speaker()
      .speak(REQUEST)
      .catch((raised: unknown) => raised);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain("secret-key");
  });

  test.each([
    [400, '{"error":{"message":"unknown voice af_kore"}}'],
    [404, '{"error":{"code":"voice_not_found"}}'],
    [422, '{"error":"no such language"}'],
    [400, "unknown voice"],
  ])("takes a refusal of the voice for a voice that is not available: %i %s", async (status, body) => {
    answer = (response) => response.writeHead(status).end(body) && undefined;
    await expect(speaker().speak(REQUEST)).rejects.toThrow(VoiceUnavailableError);
  });

  test("takes a page of a proxy for no word about the voice", async () => {
    answer = (response) => response.writeHead(404).end('<html lang="en">Not here</html>') && undefined;
    await expect(speaker().speak(REQUEST)).rejects.toMatchObject({ code: "speech_refused" });
  });

  test("gives up on a server that never answers, stops in the middle, breaks off, or sends without end", async () => {
    answer = (response, { body: { input } }) => {
      if (input.startsWith("Break")) response.destroy();
      else if (input.startsWith("Half")) response.setHeader("content-type", "audio/wav").write("RIFF");
    };
    const speaks = (text: string, seconds: number) => speaker(seconds).speak({ ...REQUEST, text });
    const late = { code: "speech_unreachable", message: expect.stringContaining("no answer within 0.05 s") };
    await Promise.all([
      expect(speaks("Nothing.", 0.05)).rejects.toMatchObject(late),
      expect(speaks("Half a line.", 0.05)).rejects.toMatchObject(late),
      expect(speaks("Break.", 20)).rejects.toMatchObject({ message: expect.stringContaining("could not be reached") }),
    ]);
    expect(asked).toHaveLength(9);
    answer = (response) => {
      const chunk = Buffer.alloc(2 ** 20);
      const send = () => {
        while (response.write(chunk));
      };
      response.setHeader("content-type", "audio/wav").on("drain", send);
      send();
    };
    await expect(speaker().speak(REQUEST)).rejects.toThrow(SpeechError);
  });

  test("stops waiting at once when cancelled", async () => {
    const cancel = new AbortController();
    const reason = new Error("cancelled");
    answer = () => cancel.abort(reason);
    await expect(speaker().speak(REQUEST, cancel.signal)).rejects.toBe(reason);
  });
});
