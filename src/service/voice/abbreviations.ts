/** What is written short and said long, by first part of the language code. */
export interface Abbreviations {
  /** Matched as whole words, wherever they stand. */
  readonly words: Readonly<Record<string, string>>;
  /** Units, matched after a number only. */
  readonly units: Readonly<Record<string, string>>;
}

/**
 * Abbreviations that speech engines were heard to misread: espeak-ng ends the sentence after `Mr.` and says `km/h` letter
 * by letter. What all engines read well (`%`, `°`, whole and decimal numbers) is left to them.
 */
export const ABBREVIATIONS: Readonly<Record<string, Abbreviations>> = {
  en: {
    words: {
      "Mr.": "Mister", "Mrs.": "Missis", "Ms.": "Miz", "Prof.": "Professor", "Jr.": "Junior", "Sr.": "Senior",
      "Sgt.": "Sergeant", "Lt.": "Lieutenant", "Col.": "Colonel", "Capt.": "Captain", "Gen.": "General",
      "Rev.": "Reverend", "Gov.": "Governor", "Sen.": "Senator", "vs.": "versus", "e.g.": "for example",
      "i.e.": "that is", "approx.": "approximately", "a.m.": "A M", "p.m.": "P M", "w/": "with", "and/or": "and or",
      "Ave.": "Avenue", "Blvd.": "Boulevard", "Dept.": "Department", "Inc.": "Incorporated", "Ltd.": "Limited", "&": "and",
    },
    units: {
      "km/h": "kilometres per hour", kph: "kilometres per hour", mph: "miles per hour", km: "kilometres", cm: "centimetres",
      mm: "millimetres", kg: "kilograms", lbs: "pounds", lb: "pounds", oz: "ounces", ft: "feet", "sq ft": "square feet",
      "°C": "degrees Celsius", "°F": "degrees Fahrenheit", min: "minutes", sec: "seconds", hrs: "hours",
    },
  },
  de: {
    words: {
      "Hr.": "Herr", "Fr.": "Frau", "Dr.": "Doktor", "Prof.": "Professor", "Nr.": "Nummer", "St.": "Sankt", "z. B.": "zum Beispiel",
      "z.B.": "zum Beispiel", "d. h.": "das heißt", "d.h.": "das heißt", "usw.": "und so weiter", "bzw.": "beziehungsweise",
      "ca.": "circa", "u. a.": "unter anderem", "u.a.": "unter anderem", "evtl.": "eventuell", "&": "und",
    },
    units: { "km/h": "Kilometer pro Stunde", km: "Kilometer", cm: "Zentimeter", mm: "Millimeter", kg: "Kilogramm", "°C": "Grad Celsius" },
  },
  fr: {
    words: {
      "M.": "Monsieur", Mme: "Madame", Mlle: "Mademoiselle", "Dr": "Docteur", "Pr": "Professeur", "p. ex.": "par exemple",
      "etc.": "et cetera", "env.": "environ", "av.": "avenue", "bd": "boulevard", "n°": "numéro", "N°": "numéro", "&": "et",
    },
    units: { "km/h": "kilomètres à l'heure", km: "kilomètres", cm: "centimètres", mm: "millimètres", kg: "kilos", "°C": "degrés Celsius" },
  },
  es: {
    words: {
      "Sr.": "Señor", "Sra.": "Señora", "Srta.": "Señorita", "Dr.": "Doctor", "Dra.": "Doctora", "Prof.": "Profesor",
      "D.": "Don", "Dña.": "Doña", "Ud.": "usted", "Uds.": "ustedes", "p. ej.": "por ejemplo", "etc.": "etcétera", "n.º": "número",
      "EE. UU.": "Estados Unidos", "EE.UU.": "Estados Unidos", "&": "y",
    },
    units: { "km/h": "kilómetros por hora", km: "kilómetros", cm: "centímetros", mm: "milímetros", kg: "kilos", "°C": "grados centígrados" },
  },
  it: {
    words: {
      "Sig.": "Signor", "Sig.ra": "Signora", "Sig.na": "Signorina", "Dott.": "Dottor", "Dott.ssa": "Dottoressa",
      "Prof.": "Professor", "Ing.": "Ingegner", "Avv.": "Avvocato", "ecc.": "eccetera", "n.": "numero", "&": "e",
    },
    units: { "km/h": "chilometri all'ora", km: "chilometri", cm: "centimetri", mm: "millimetri", kg: "chili", "°C": "gradi Celsius" },
  },
  pt: {
    words: {
      "Sr.": "Senhor", "Sra.": "Senhora", "Srta.": "Senhorita", "Dr.": "Doutor", "Dra.": "Doutora", "Prof.": "Professor",
      "Profa.": "Professora", "etc.": "etcétera", "p. ex.": "por exemplo", "n.º": "número", "&": "e",
    },
    units: { "km/h": "quilômetros por hora", km: "quilômetros", cm: "centímetros", mm: "milímetros", kg: "quilos", "°C": "graus Celsius" },
  },
  nl: {
    words: {
      "dhr.": "de heer", "Dhr.": "De heer", "mevr.": "mevrouw", "Mevr.": "Mevrouw", "dr.": "dokter", "Dr.": "Dokter",
      "prof.": "professor", "Prof.": "Professor", "bijv.": "bijvoorbeeld", "enz.": "enzovoort", "nr.": "nummer", "ca.": "circa", "&": "en",
    },
    units: { "km/h": "kilometer per uur", "km/u": "kilometer per uur", km: "kilometer", cm: "centimeter", mm: "millimeter", kg: "kilo", "°C": "graden Celsius" },
  },
}; // biome-ignore format: a table reads better in rows
