/** Names of signs, each with its code point (base 36). */
const SIGNS = `
quot.y amp.12 apos.13 lt.1o gt.1q nbsp.4g iexcl.4h cent.4i pound.4j yen.4l sect.4n copy.4p ordf.4q laquo.4r shy.4t reg.4u
deg.4w sup2.4y sup3.4z para.52 middot.53 sup1.55 ordm.56 raquo.57 frac14.58 frac12.59 frac34.5a iquest.5b AElig.5i ETH.5s
times.5z Oslash.60 THORN.66 szlig.67 aelig.6e eth.6o divide.6v oslash.6w thorn.72 OElig.9e oelig.9f thinsp.6bt zwnj.6bw
zwj.6bx lrm.6by rlm.6bz ndash.6c3 mdash.6c4 lsquo.6c8 rsquo.6c9 sbquo.6ca ldquo.6cc rdquo.6cd bdquo.6ce bull.6ci
hellip.6cm prime.6cy Prime.6cz lsaquo.6d5 rsaquo.6d6 euro.6gc trade.6jm larr.6mo rarr.6mq minus.6qa
`;

/** Names of accents behind a letter's, each with the combining accent. */
const ACCENTS: ReadonlyMap<string, string> = new Map([
  ["grave", "\u0300"],
  ["acute", "\u0301"],
  ["circ", "\u0302"],
  ["tilde", "\u0303"],
  ["uml", "\u0308"],
  ["ring", "\u030a"],
  ["caron", "\u030c"],
  ["cedil", "\u0327"],
]);

const ACCENTED = /^([A-Za-z])([a-z]+)$/;

/**
 * The character a name of HTML (without `&` and `;`) stands for: letters with accents and the signs that occur in captions.
 * The whole list of HTML is ten times as long.
 */
export function commonCharacter(name: string): string | undefined {
  const sign = new RegExp(`\\s${name}\\.(\\w+)`).exec(SIGNS)?.[1];
  if (sign !== undefined) return String.fromCharCode(Number.parseInt(sign, 36));
  const [, letter = "", accentName = ""] = ACCENTED.exec(name) ?? [];
  const accent = ACCENTS.get(accentName);
  const composed = `${letter}${accent}`.normalize("NFC");
  return accent === undefined || composed.length > 1 ? undefined : composed;
}
