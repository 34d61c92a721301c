/**
 * Words by which a message tells something, by language, in the notation of the emergency words, which has the words that
 * ask, suppose and name people. Data only.
 */
import type { Language } from "../words/polarity.js";

export interface ReportWords {
  /** Subjects and verbs that statements have. */
  readonly tells: string;
  /** Beginnings of a request and objects of an order: no word of them tells anything. */
  readonly idle: string;
  /** Questions for a time, a number or a permission, which nobody asks for somebody who is in danger. */
  readonly plain?: string;
  /** Endings of verbs that tell what happened, where a language has them. */
  readonly endings?: RegExp;
  /** Whether a verb at the beginning asks, question mark or not; absent: it tells where there is none. */
  readonly verbFirstAsks?: boolean;
}

export const REPORT_WORDS: Readonly<Record<Language, ReportWords>> = {
  en: {
    tells:
      "everyone, everybody, nobody, there s, is, are, was, were, has, have, had, s, m, re, ve, " +
      "ain t, isn t, won t, can t, cannot, didn t, doesn t, don t, got, gone, just, keeps, " +
      "went, came, fell, looks, feels",
    idle:
      "and with, and for, and on, and at, it s january, it s february, it s march, it s april, " +
      "it s may, it s june, it s july, " +
      "it s august, it s september, it s october, it s november, it s december, " +
      "i need, we need, i want, we want, i d like, i would like, i m looking for, i am looking " +
      "for, we re looking for, i have a question, i ve got a question, remind me, let s, i " +
      "forgot, me, us, him, her, them, one, person, people, staff, cleaner",
    plain:
      "when, which, how long, how many, how much, how often, how soon, how quick, how deep, how hot, " +
      "can i, can we, may i, may we",
    verbFirstAsks: true,
  },
  de: {
    tells:
      "es, sich, bin, nicht, nich, hier, s, grad, gerade, ganz, schon, die, kommt, steht, stehen, liegt, liegen, hangt",
    idle:
      "ich brauche, wir brauchen, ich mochte, ich will, ich hatte gern*, ich wurde gern, ich " +
      "suche, wir suchen, ich habe eine frage, ich hab ne frage, sagen sie, zeigen sie, geben " +
      "sie, helfen sie, kannst du, konnen sie, konntest du, konnten sie",
  },
  es: {
    tells: "estoy, estamos, soy, he, hemos, tengo, tenemos, ya, mi, dice",
    idle:
      "necesito, necesitamos, quiero, queremos, quisiera, me gustaria, busco, buscamos, tengo " +
      "una pregunta, me puedes, me puede, me dices, me dice, el",
  },
  fr: {
    tells: "ils, elles, suis, ai, s, se, vient, ca, c, plus",
    idle:
      "j ai besoin, il me faut, il nous faut, je veux, je voudrais, j aimerais, je cherche, " +
      "nous cherchons, on cherche, j ai une question, peux tu, pouvez vous, tu peux, vous " +
      "pouvez, il faut",
  },
  pl: {
    tells: "maja, sie, nie, juz, =są, =ją, leży, leci, tu",
    idle:
      "potrzebuje, potrzebujemy, chce, chcemy, chciałbym, chciałabym, szukam, szukamy, mam " +
      "pytanie, powiedz mi, pokaz mi, podaj mi, daj mi, pomoz mi",
    endings: /(?:ł|ła|li|ły|łem|łam)$/u,
  },
  uk: {
    tells: "не, вже, тут, лежить, іде, йде",
    idle: "мені потрібно, мені потрібна, мені потрібен, мені треба, хочу, хочемо, я шукаю, скажи мені, скажіть мені, покажи мені, дай мені",
    endings: /(?:ла|ли|лась|лося|лися|ився|вся)$/u,
  },
};
