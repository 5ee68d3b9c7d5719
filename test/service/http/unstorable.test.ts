import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uniqueClip } from "../clips.ts";
import { API, form, type Reply, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let port = 0;
let mediaId = "";
beforeAll(async () => {
  service = await startTestService({}, { worksOnJobs: false });
  port = Number(new URL(await service.app.listen({ host: "127.0.0.1", port: 0 })).port);
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(() => service.close());

/** Sends bytes with headers that `fetch` would not send. */
function raw(
  path: string,
  headers: Record<string, string>,
  body: string | Uint8Array,
): Promise<Pick<Reply, "status" | "body">> {
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: "127.0.0.1",
        port,
        method: "POST",
        path: `${API}/${path}`,
        headers: { "X-API-Key": service.key, ...headers },
      },
      async (reply) => {
        const chunks: Buffer[] = [];
        for await (const chunk of reply) chunks.push(chunk);
        resolve({ status: reply.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      },
    );
    sending.once("error", reject);
    sending.end(body);
  });
}

async function multipart(boundary: string, disposition: string): Promise<Pick<Reply, "status" | "body">> {
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="input"',
    "",
    '{"type":"file"}',
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; ${disposition}`,
    "Content-Type: video/mp4",
    "",
    "",
  ].join("\r\n");
  const body = Buffer.concat([Buffer.from(head), await uniqueClip(), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return raw("upload_media", { "Content-Type": `multipart/form-data; boundary=${boundary}` }, body);
}

describe("texts that records cannot hold are refused by name", () => {
  const input = { type: "media_id", media_id: "" };
  const cases: readonly (readonly [string, string, (bad: string) => object])[] = [
    ["generate_ad_text", "custom_instructions", (bad) => ({ media_id: mediaId, custom_instructions: bad })],
    ["upload_media", "input.filename", (bad) => ({ input: { type: "signed_url", filename: `${bad}.mp4` } })],
    [
      "generate_ad_audio",
      "generation_config.description_content",
      (bad) => ({ input: { ...input, media_id: mediaId }, generation_config: { description_content: `00:01 ${bad}` } }),
    ],
    [
      "generate_ad_video",
      "generation_config.custom_captions.content",
      (bad) => ({ input: { ...input, media_id: mediaId }, generation_config: { custom_captions: { content: bad } } }),
    ],
  ];
  test.each(cases)("%s: %s", async (path, name, bodyOf) => {
    for (const [bad, what] of [
      ["a\0b", /holds a NUL character/],
      ["a\ud800b", /holds half of a character/],
      ["\udc00", /holds half of a character/],
    ] as const) {
      const reply = await service.send("POST", path, bodyOf(bad));
      expect(reply.status).toBe(400);
      expect(reply.body.message).toMatch(what);
      expect(reply.body.message).toContain(`"${name}"`);
    }
    expect((await service.send("POST", path, bodyOf("00:01 😀"))).status).toBe(200);
  });

  test("in a form too", async () => {
    for (const [config, message] of [
      ['{"custom_instructions":"\\u0000"}', /"generation_config.custom_instructions" holds a NUL/],
      ["[".repeat(20_000), /The part "generation_config" is nested more than 64 levels/],
    ] as const) {
      const reply = await service.send(
        "POST",
        "generate_ad_audio",
        form(await uniqueClip(), { generation_config: config }),
      );
      expect(reply.status).toBe(400);
      expect(reply.body.message).toMatch(message);
    }
  });
});

test("a file's own name is taken without what no name shows", async () => {
  for (const disposition of ['filename="a\0b.mp4"', "filename*=UTF-8''a%00b.mp4"]) {
    const { status, body } = await multipart("b", disposition);
    expect(status).toBe(200);
    const [row] = await service.database.query("SELECT file_name FROM aside.media WHERE id = $1", [body.media_id]);
    expect(row).toEqual({ file_name: "ab.mp4" });
  }
});

test("a boundary that no form may have is refused by a sentence", async () => {
  const reply = await multipart("b".repeat(300), 'filename="a.mp4"');
  expect(reply.status).toBe(400);
  expect(reply.body.message).toMatch(/boundary .* too long/);
});

test.each(["a b", "[", "x:99999", "a/b", "a@b", "%%%", "x".repeat(5_000)])(
  "a Host header of %j makes no address",
  async (host) => {
    const headers = { "Content-Type": "application/json", Host: host };
    const reply = await raw("upload_media", headers, '{"input":{"type":"signed_url"}}');
    expect(reply.status).toBe(400);
    expect(reply.body.message).toMatch(/Host header/);
  },
);

test("a Host header of an address or a name with a port makes an address", async () => {
  for (const host of ["[::1]:8420", "under_score:80", "127.0.0.1:1"]) {
    const headers = { "Content-Type": "application/json", Host: host };
    const reply = await raw("upload_media", headers, '{"input":{"type":"signed_url"}}');
    expect(reply.body.upload_url).toContain(`http://${host.replace(/:80$/, "")}/`);
  }
});
