/** What emergencies sound like in German. */
import type { EmergencyWords } from "./words.js";

export const german: EmergencyWords = {
  cries:
    "mayday, sos, mann am boden, zu hilfe, helft mir, helft uns, helfen sie mir, hilf mir, hol hilfe, holt hilfe, holen sie hilfe, brauche hilfe schnell, brauchen sofort hilfe, brauche sofort hilfe, kommt schnell, komm schnell, kommen sie schnell, schnell kommen, ein notfall, das ist ein notfall, wir haben einen notfall, medizinischer notfall",
  alone: "hilfe, hilfe hilfe, notfall, ich brauche hilfe, wir brauchen hilfe, rettung",
  dire: "atmet nicht, keine luft mehr, bekomme keine luft, bekommt keine luft, kriegt keine luft, krieg keine luft, kriege keine luft, kein puls, keinen puls, bewusstlos*, ohnmachtig, in ohnmacht, umgekippt, blutet, blute, verblutet, herzinfarkt, herzstillstand, schlaganfall, krampft, krampfanfall, epileptischer anfall, stromschlag, einen schlag bekommen, ruhrt sich nicht, bewegt sich nicht, reagiert nicht mehr, ist nicht ansprechbar, brennt, brennen die augen, steht in flammen, in flammen, feuer gefangen, explodiert, riecht nach gas, stinkt nach gas, gasgeruch hier, uberfallen worden, werden uberfallen, wurde uberfallen, schlagt auf, schlagen auf, prugelt auf, sticht auf, niedergestochen, angeschossen, uberfahren, angefahren, ertrinkt, erstickt, verschluckt und, schmerzen in der brust, brustschmerzen",
  who: "ich, er, sie, wir, mir, mich, ihm, ihn, ihr, uns, einer, eine, einen, jemand*, wer, person*, leute, mann, manner, frau, frauen, kollege*, kollegin*, mitarbeiter*, fahrer*, kunde, kunden, kundin*, besucher*, patient*, gast, kind, kinder, junge, madchen, azubi*, lehrling*, mensch*, zwei mann",
  body: "hand, hande, handen, finger*, daumen, arm, arme, bein, beine, fuß, fuss, fusse, zehe*, kopf, gesicht, auge, augen, haar, haare, armel, jacke, hose, brust, hals, rucken, haut",
  harm: "gefallen, gesturzt, abgesturzt, sturzt, eingeklemmt, eingesperrt, eingeschlossen, steckt fest, stecke fest, stecken fest, festgeklemmt, gefangen, verschuttet, begraben, zusammengebrochen, verletzt, stirbt, ist tot, verbrannt, verbruht, vergiftet, verschluckt, zerquetscht, gequetscht, angegriffen, eingezogen, reingezogen, nicht mehr raus, komme nicht raus, erfasst, getroffen",
  wound:
    "abgeschnitten, geschnitten, abgetrennt, abgerissen, gebrochen, eingeklemmt, drin, klemmt, steckt, stecken, hangt, verbrannt, gespritzt, spritzt, abgehackt",
  into: "im, in",
  under: "unter, unterm, zwischen",
  crusher:
    "band, forderband, presse, walze*, maschine*, mischer, kutter, sage, kette*, getriebe, regal, regale, palette*, last, stapler, gabelstapler, lkw, fahrzeug, rad, aufzug, schredder, ballenpresse, fritteuse, trichter, bohrer, tor",
  summon:
    "ruf, rufe, rufen, ruft, hol, hole, holen, holt, schick, schicken, schickt, brauche, brauchen, brauch, alarmier*, verstandig*, wahl, wahle, wahlen",
  rescue:
    "krankenwagen, rettungswagen, rettungsdienst, notarzt, arzt, sanitater, sani, feuerwehr, polizei, 112, 110, ersthelfer, rettung, defibrillator, defi",
  hazard: "feuer, brand, rauch, qualm, flammen, explosion, gasleck, gasaustritt, bombe, uberfall, schusse",
  place:
    "in, im, an, am, auf, aus, bei, beim, hinter, unter, neben, uber, vor, hier, da, uberall, kommt, dringt, steigt, jetzt, schnell, draußen, drinnen, am",
  substance:
    "gas, ammoniak, chlor, saure, lauge, chemikalie*, propan, losemittel, losungsmittel, kaltemittel, reiniger, entkalker, bleiche, kohlenmonoxid, wasserstoff",
  escapes: "austritt, ausgetreten, tritt aus, lauft aus, ausgelaufen, leck, stromt aus, entweicht, undicht",
  weapon: "messer, pistole, waffe, gewehr, axt, bombe",
  armed: "mit, hat, zieht, bedroht",
  supposing: "wenn, falls, sobald, sofern, bevor, nachdem, im fall, im falle, angenommen, ob",
  upon: "bei, gegen, fur, uber, zur, wegen, vor",
  asking:
    "was, wo, wann, wer, wen, wem, welche*, warum, wieso, wie, woher, wohin, darf, durfen, muss ich, mussen wir, soll ich, erklar*",
  opening: "ist, sind, war, waren, hat, haben, gibt es, gab es, kann, darf, wird, muss, soll",
  whatNow:
    "was soll ich tun, was soll ich machen, was mach ich, was mache ich, was tun wir, was machen wir, was tun, was muss ich tun, was jetzt, was nun, wie helfe ich",
  denying: "kein, keine, keinen, niemand, nie, ohne, nicht",
  past: "gestern, letzte woche, letzten monat, letztes jahr, letztes mal, vorige woche, voriges jahr, vor einem jahr, vor jahren, wie immer, wie ublich, jeden tag, meistens, oft",
  paper:
    "ubung*, probealarm, schulung*, unterweisung*, anweisung*, verfahren, vorschrift*, checkliste*, plan, formular*, handbuch, video, regeln, schritte, nummer, durchwahl, protokoll, statistik, versicherung, meldung",
  harmless:
    "feuerloscher*, brandschutz*, brandmelder*, rauchmelder*, rauchpause*, feueralarm*, brandmeldeanlage*, feuerubung*, erste hilfe*, ersten hilfe, erster hilfe, notausgang*, not aus, notruf nummer, notrufnummer*, notlicht*, brennt auf, brenne auf, brennt eine frage, brennt darauf, brennt die lampe, brennt das licht, brennt licht, unter den nageln, gasflasche*, hand in hand, von hand, auf der hand, im kopf, krankmeldung*, beinahe unfall*, unfallbericht*, vor lachen, vor hunger, kein brand",
};
