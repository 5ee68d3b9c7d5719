import { expect, test } from "vitest";
import { startModelServer } from "../../fakes/model-server.ts";
import { asideAlone } from "../run-aside.ts";

test("a model that Ollama lacks is told with the command that fetches it", async () => {
  const server = await startModelServer(({ path }) => {
    if (path === "/api/version") return { body: { version: "0.40.12" } };
    return path === "/api/tags" ? { body: { models: [] } } : undefined;
  });
  const { stdout } = await asideAlone(["describers"], {
    ASIDE_VISION_URL: server.origin,
    ASIDE_VISION_PRESET: "ollama",
    ASIDE_VISION_MODEL: "m",
  });
  expect(stdout).toMatch(/^vision +no +m at 127\S+, which is not there: fetch it with aside models install ollama:m$/m);
});
