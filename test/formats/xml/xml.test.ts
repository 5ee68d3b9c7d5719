import fc, { type Arbitrary } from "fast-check";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { parseXml } from "../../../src/formats/xml/parse-xml.ts";
import { element, type XmlNode, xmlDocument, xmlLines } from "../../../src/formats/xml/write-xml.ts";
import {
  attributeOf,
  childAt,
  childElements,
  descendantsNamed,
  numberAt,
  ownText,
  textAt,
  type XmlElement,
} from "../../../src/formats/xml/xml-element.ts";

const names = fc.constantFrom("a", "b-c", "tt:p", "xml:id", "漢", "_x.1");
const values = fc
  .array(fc.constantFrom("<", ">", "&", '"', "'", "&amp;", "]]>", "ü", "👩", "x", "/", "=", "#"), { maxLength: 6 })
  .map((parts) => parts.join(""));

const { tree: trees } = fc.letrec<{ tree: XmlNode }>((tie) => ({
  tree: fc.record({
    name: names,
    attributes: fc.dictionary(names, values, { maxKeys: 3 }),
    content: fc.oneof({ maxDepth: 3 }, values, fc.array(tie("tree"), { maxLength: 3 })) as Arbitrary<
      XmlNode["content"]
    >,
  }),
}));

/** An element as it is written: text where it holds no element. */
function nodeOf(one: XmlElement): XmlNode {
  const inner = childElements(one);
  const content = inner.length > 0 ? inner.map(nodeOf) : ownText(one) || [];
  return { name: one.name, attributes: Object.fromEntries(one.attributes), content };
}

/** The node as it comes back: nothing is nothing, whether it was a text or a list. */
function asRead({ name, attributes, content }: XmlNode): XmlNode {
  const inner = typeof content === "string" ? content || [] : content.map(asRead);
  return { name, attributes: { ...attributes }, content: inner };
}

function withInner(one: XmlElement): XmlElement[] {
  return [one, ...childElements(one).flatMap(withInner)];
}

test("a document is XML, and reads as it was written", () => {
  const types = fc.constantFrom({}, { doctype: "a" }, { doctype: "a", indent: "\t", isStandalone: true });
  fc.assert(
    fc.property(trees, types, (node, writing) => {
      const text = xmlDocument(node, writing);
      expect(XMLValidator.validate(text)).toBe(true);
      const { root, faults } = parseXml(text);
      expect(faults).toEqual([]);
      expect(root && nodeOf(root)).toEqual(asRead(node));
    }),
    { numRuns: 200 },
  );
});

test("every element says where it stands: its own text alone reads as the same element", () => {
  fc.assert(
    fc.property(trees, (node) => {
      const text = `<!-- <a> -->${xmlLines(node, "", " ").join("\n")}`;
      const { root } = parseXml(text);
      for (const one of root === null ? [] : withInner(root)) {
        const own = parseXml(text.slice(one.start, one.end)).root;
        expect(own && nodeOf(own)).toEqual(nodeOf(one));
        expect(text.slice(one.start, one.innerStart)).toMatch(/^<[^<]*>$/);
        expect(one.isSelfClosing).toBe(
          text.slice(one.start, one.end).endsWith("/>") && childElements(one).length === 0,
        );
        if (!one.isSelfClosing) expect(text.slice(one.innerEnd, one.end)).toBe(`</${one.name}>`);
        else expect([one.innerStart, one.innerEnd]).toEqual([one.end, one.end]);
      }
    }),
    { numRuns: 150 },
  );
});

test("what is no content leaves the content as it is", () => {
  const beside = fc.constantFrom("<!-- x > y -->", "<?pi a='>'?>", "<!---->", "<??>", "<!x>");
  fc.assert(
    fc.property(trees, fc.array(beside, { minLength: 1, maxLength: 4 }), (node, pieces) => {
      let at = 0;
      const text = xmlDocument(node).replace(/(?<=>)\n/g, () => `${pieces[at++ % pieces.length]}\n`);
      const { root, faults } = parseXml(text);
      expect(faults).toEqual([]);
      expect(root && nodeOf(root)).toEqual(asRead(node));
    }),
    { numRuns: 100 },
  );
});

const contentOf = (text: string) => parseXml(text).root?.content;
const faultsOf = (text: string) => parseXml(text).faults.map(({ offset, message }) => `${offset} ${message}`);

describe("text that is not as it should be", () => {
  test("is taken as it stands between marks that nothing ends", () => {
    expect(contentOf("<a>x<![CDATA[<b>&amp;]]>y</a>")).toEqual(["x", "<b>&amp;", "y"]);
    expect(contentOf("<a>x<![CDATA[<b>")).toEqual(["x", "<b>"]);
    expect(contentOf("<a>x<!-- y</a>")).toEqual(["x"]);
    expect(contentOf("<a>x<? y</a>")).toEqual(["x"]);
  });

  test("characters by number are those characters, and what is none is U+FFFD", () => {
    expect(contentOf("<a>&#65;&#x1F469;&#x41;&lt;&gt;&amp;&quot;&apos;</a>")).toEqual(["A👩A<>&\"'"]);
    expect(contentOf("<a>&#0;&#xD800;&#xDFFF;&#x110000;&#x10FFFF;&#xD7FF;&#xE000;</a>")).toEqual([
      "\ufffd\ufffd\ufffd\ufffd\u{10ffff}\ud7ff\ue000",
    ]);
    expect(contentOf("<a>&nbsp; &#; &#xg; &amp</a>")).toEqual(["&nbsp; &#; &#xg; &amp"]);
  });

  test("a document type is passed over, with what it declares inside itself", () => {
    for (const type of [
      "<!DOCTYPE a>",
      '<!DOCTYPE a [<!ENTITY b "]">]>',
      "<!DOCTYPE a [<!ENTITY b '>'> ]>",
      "<!DOCTYPE a [<!ELEMENT b (c)><z/>]>",
    ]) {
      expect(parseXml(`${type}<a>x</a>`).root?.name, type).toBe("a");
    }
    expect(contentOf("<!DOCTYPE a><a>[x]</a>")).toEqual(["[x]"]);
  });

  test("every tag that does not fit is told where it stands, and the rest is read", () => {
    expect(faultsOf("<a><b></a>")).toEqual(["10 <b> is not closed"]);
    expect(faultsOf("<a></b></a>")).toEqual(["7 </b> closes nothing"]);
    expect(faultsOf("<a>")).toEqual(["3 <a> is not closed"]);
    expect(faultsOf("<a>1 < 2</a>")).toEqual(["5 a < begins no tag"]);
    expect(contentOf("<a>1 < 2</a>")?.join("")).toBe("1 < 2");
    const root = parseXml("<a><b>x<c></a>").root;
    expect(root && nodeOf(root)).toEqual(element("a", {}, [element("b", {}, [element("c")])]));
    expect(parseXml("</a>").root).toBeNull();
    expect(faultsOf("</b>".repeat(99))).toHaveLength(20);
  });

  test("elements are kept down to a depth, told beyond it, and what stands behind them is read", () => {
    const text = `<r>${"<a>".repeat(300)}${"</a>".repeat(300)}<b/></r>`;
    const { root, faults } = parseXml(text);
    expect(root === null ? 0 : withInner(root).filter(({ name }) => name === "a").length).toBe(255);
    expect(faults).toHaveLength(20);
    expect(root && childElements(root).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("of an attribute that is given twice the first counts; quotes of both kinds and blanks are taken", () => {
    const { attributes } = parseXml(`<a  b = "1"\n c='2 "' b="3" d='&lt;' />`).root ?? { attributes: new Map() };
    expect(Object.fromEntries(attributes)).toEqual({ b: "1", c: '2 "', d: "<" });
  });

  test("characters that XML cannot hold are written as U+FFFD", () => {
    expect(xmlLines(element("a", { b: "\u0001\ud800" }, "\ufffe\u0085\t"), "", "")).toEqual([
      '<a b="\ufffd\ufffd">\ufffd\u0085\t</a>',
    ]);
  });
});

test("what is asked of an element is its own, by name with or without a prefix, first of several", () => {
  const { root } = parseXml('<a x:id="1" y:id="2"><b> 1.5 </b><b>2</b><c><b>x</b><d/></c> z </a>');
  if (root === null) throw new Error("no element");
  expect([attributeOf(root, "id"), attributeOf(root, "y:id"), attributeOf(root, "d")]).toEqual(["1", "2", undefined]);
  expect([textAt(root, "b"), textAt(root), textAt(root, "c", "b"), textAt(root, "d", "b")]).toEqual([
    "1.5",
    "z",
    "x",
    "",
  ]);
  expect([numberAt(root, "b"), numberAt(root, "c", "b"), numberAt(root, "c", "d")]).toEqual([1.5, null, null]);
  expect(childAt(root)).toBe(root);
  expect(childAt(undefined, "a")).toBeUndefined();
  expect([...descendantsNamed(root, "b")].map(ownText)).toEqual([" 1.5 ", "2", "x"]);
});
