import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigurationFile, configurationFrom } from "../../src/service/configuration.ts";

const PAGE = readFileSync(new URL("../../docs/service.md", import.meta.url), "utf8");

test("the page of the service shows the configuration's defaults, and explains every member", () => {
  const shown: { plans: object } = JSON.parse(/```json\n(.*?)```/s.exec(PAGE)?.[1] ?? "");
  const { dataFolder: _, ...defaults } = configurationFrom({ plans: { default: {} } }, "/nowhere");
  expect(shown).toEqual(defaults);
  const section =
    PAGE.slice(0, PAGE.indexOf("\n## ", PAGE.indexOf("```json")))
      .split("\n## ")
      .at(-1) ?? "";
  const explained = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(
    ([, names = ""]) => names.match(/\w+/g) ?? [],
  );
  expect(explained.sort()).toEqual(Object.keys(ConfigurationFile.shape).sort());
});
