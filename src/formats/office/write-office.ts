import { strToU8, zipSync } from "fflate";
import { element, type XmlNode, xmlDocument } from "../xml/write-xml.ts";

/** A part of a document of Word or Excel. */
export interface OfficePart {
  /** Path inside the archive. */
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  readonly root: XmlNode;
  /** Parts that it refers to as `r1`, `r2` and so on: paths beside its own, and what they are to it. */
  readonly relations?: readonly (readonly [path: string, kind: string])[];
}

/** Namespace of the relations inside a document. */
export const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/**
 * Packs parts into a document as Word and Excel read it (ECMA-376 part 2). The same parts give the same bytes.
 *
 * @param parts The main one first.
 * @param properties What the document says of itself; the language as a BCP-47 code.
 */
export function packOffice(
  parts: readonly OfficePart[],
  { title, language }: { readonly title: string; readonly language: string },
): Uint8Array {
  const properties: OfficePart = {
    path: "docProps/core.xml",
    type: "application/vnd.openxmlformats-package.core-properties+xml",
    root: element(
      "cp:coreProperties",
      { "xmlns:cp": `${PACKAGE}/metadata/core-properties`, "xmlns:dc": "http://purl.org/dc/elements/1.1/" },
      [element("dc:title", {}, title), element("dc:language", {}, language)],
    ),
  };
  const all = [...parts, properties];
  const types = all.map(({ path, type }) => element("Override", { PartName: `/${path}`, ContentType: type }));
  const rels = { Extension: "rels", ContentType: "application/vnd.openxmlformats-package.relationships+xml" };
  const whole = relationsOf([
    [parts[0]?.path ?? "", `${RELATIONS}/officeDocument`],
    [properties.path, `${PACKAGE}/relationships/metadata/core-properties`],
  ]);
  const files: Record<string, XmlNode> = {
    "[Content_Types].xml": element("Types", { xmlns: `${PACKAGE}/content-types` }, [
      element("Default", rels),
      ...types,
    ]),
    "_rels/.rels": whole,
  };
  for (const { path, root, relations } of all) {
    files[path] = root;
    const [folder, name] = path.split("/");
    if (relations !== undefined) {
      files[`${folder}/_rels/${name}.rels`] = relationsOf(relations.map(([to, kind]) => [to, `${RELATIONS}/${kind}`]));
    }
  }
  const bytes = Object.entries(files).map(([path, root]) => [
    path,
    strToU8(xmlDocument(root, { indent: "", isStandalone: true })),
  ]);
  return zipSync(Object.fromEntries(bytes), { mtime: new Date(1980, 0, 1, 12) });
}

function relationsOf(relations: readonly (readonly [path: string, type: string])[]): XmlNode {
  const each = relations.map(([path, type], index) =>
    element("Relationship", { Id: `r${index + 1}`, Type: type, Target: path }),
  );
  return element("Relationships", { xmlns: `${PACKAGE}/relationships` }, each);
}
