import { expect, test } from "vitest";
import { parseFcp7Xml } from "../../../src/formats/fcp7-xml/read-fcp7-xml.ts";
import { parseFcpxml } from "../../../src/formats/fcpxml/read-fcpxml.ts";
import { parseTtml } from "../../../src/formats/ttml/parse-ttml.ts";

test.each([
  ["fcp7-xml", parseFcp7Xml, "xmeml"],
  ["fcpxml", parseFcpxml, "fcpxml"],
  ["ttml", parseTtml, "tt"],
] as const)("every fault of XML is told, each by its line: %s", (_name, parse, root) => {
  const text = `<${root}>\n<a></b>\n<c></d>\n</${root}>`;
  const lines = parse(text).issues.flatMap(({ code, line }) => (code === "bad-xml" ? [line] : []));
  expect([...new Set(lines)]).toEqual([2, 3, 4]);
});
