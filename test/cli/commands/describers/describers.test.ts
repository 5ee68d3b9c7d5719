import { expect, test } from "vitest";
import { startModelServer } from "../../../fakes/model-server.ts";
import { asideAlone } from "../../run-aside.ts";

/** An Ollama without a model; fetching one answers so. */
async function emptyOllama(pull: string) {
  let isThere = false;
  const server = await startModelServer(({ path }) => {
    if (path === "/api/version") return { body: { version: "0.40.12" } };
    if (path === "/api/show") return isThere ? { body: { capabilities: ["vision"] } } : undefined;
    if (path === "/api/tags") return { body: { models: [] } };
    if (path !== "/api/pull") return undefined;
    isThere = pull.includes("success");
    return { body: pull };
  });
  return { server, env: { ASIDE_VISION_URL: server.origin, ASIDE_VISION_PRESET: "ollama", ASIDE_VISION_MODEL: "m" } };
}

test("a model that sees is fetched once its size is agreed to, and not again", async () => {
  const { server, env } = await emptyOllama(
    '{"status":"pulling abcdef012345","digest":"a","total":6100000000,"completed":1}\n{"status":"success"}\n',
  );
  const args = ["describers", "--pull", "qwen3-vl:8b-instruct"];
  const unasked = await asideAlone(args, env);
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("agree to the size with --yes") });
  expect(unasked.stderr).toContain("will fetch qwen3-vl:8b-instruct from the internet, about 6.1 GB.");
  expect(server.asked.map(({ path }) => path)).not.toContain("/api/pull");
  const agreed = await asideAlone([...args, "--yes", "--json"], env);
  expect(agreed).toMatchObject({ code: 0, stdout: '{"model":"qwen3-vl:8b-instruct","isNew":true}\n' });
  expect(agreed.stderr).toContain("fetching  0.00 of 6.10 GB");
  expect((await asideAlone([...args, "--yes"], env)).stdout).toContain("has qwen3-vl:8b-instruct already");
  expect(server.asked.filter(({ path }) => path === "/api/pull")).toHaveLength(1);
});

test("what cannot be fetched is told in Ollama's words, with a code", async () => {
  const { env } = await emptyOllama('{"status":"pulling manifest"}\n{"error":"file does not exist"}\n');
  const failed = await asideAlone(["describers", "--pull", "none", "--yes", "--json"], env);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout).error).toMatchObject({ code: "vision_pull_failed" });
  expect(failed.stderr).toContain("(file does not exist). Check the name");
});

test("models that suit are listed with their size, and the list of describers leads to them", async () => {
  expect((await asideAlone(["describers", "--pull", "list"])).stdout).toMatch(/^qwen3-vl:8b-instruct +6\.1 GB +\S/m);
  const { env } = await emptyOllama("");
  const { stdout } = await asideAlone(["describers"], env);
  expect(stdout).toMatch(/^vision +no +m at 127\S+, which is not there: fetch it with aside describers --pull m$/m);
});

test("--yes without something to agree to is a mistake", async () => {
  expect(await asideAlone(["describers", "--yes"])).toMatchObject({ code: 2 });
});
