/** What emergencies sound like in French. */
import type { EmergencyWords } from "./words.js";

export const french: EmergencyWords = {
  cries:
    "mayday, sos, au secours, a l aide, aidez nous, homme a terre, appelez a l aide, appelle a l aide, allez chercher de l aide, venez vite, viens vite, envoyez de l aide, besoin d aide vite, besoin d aide tout de suite, c est une urgence, on a une urgence, nous avons une urgence, urgence medicale, sauvez moi, sauvez nous",
  alone: "aidez moi, aide moi, aide, urgence, j ai besoin d aide, on a besoin d aide, secours",
  dire: "ne respire plus, ne respire pas, respire plus, respire pas, peux pas respirer, peut pas respirer, peux plus respirer, arrive pas a respirer, plus de pouls, pas de pouls, inconscient*, evanoui, evanouie, s est evanoui, s evanouit, perdu connaissance, tombe dans les pommes, saigne, saignes, hemorragie, crise cardiaque, arret cardiaque, infarctus, avc, convuls*, fait une crise, electrocut*, decharge electrique, mal a la poitrine, douleur a la poitrine, douleurs a la poitrine, ne bouge plus, bouge plus, ne reagit plus, reagit plus, s etouffe, etouffe, se noie, en feu, prend feu, pris feu, en flammes, brule dans, a explose, explose, ca sent le gaz, sent le gaz, pue le gaz, odeur de gaz dans, en train de le frapper, en train de la frapper, se fait agresser, se fait frapper, poignard*, renverse par, renverse quelqu un, ecrase par, on nous braque, on se fait braquer, tire dessus, intoxique",
  who: "je, j, il, elle, on, nous, me, m, lui, ils, elles, quelqu un, personne*, gens, homme*, femme*, collegue*, ouvrier*, employe*, conducteur*, chauffeur*, client*, visiteur*, patient*, gars, type, mec, enfant*, garcon, fille, apprenti*, un de nous",
  body: "main, mains, doigt*, pouce, bras, jambe*, pied, pieds, orteil*, tete, visage, oeil, yeux, cheveux, manche, manteau, veste, poitrine, cou, dos, bouche, peau",
  harm: "est tombe, est tombee, tombe de, tombee de, chute de, coince*, enferme*, bloque dans, bloquee dans, pieg*, enseveli*, ecras*, effondre*, ecroule*, blesse*, meurt, est mort, est morte, va mourir, brule, brulee, ebouillant*, empoisonn*, renverse, renversee, agresse, agressee, attaque, assomme, happe, happee, avale de travers",
  wound:
    "coupe, coupee, sectionne*, arrache*, casse, cassee, coince, coincee, coinces, brulent, brule, piquent, broye*, prise, pris, recu, gicle, passee, passe",
  into: "dans",
  under: "sous, entre",
  crusher:
    "tapis, bande, convoyeur, presse, rouleau*, machine*, melangeur, scie, chaine*, engrenage*, etagere*, rayonnage*, palette*, charge, chariot*, camion, vehicule, roue*, ascenseur, broyeur, friteuse, trancheuse, hachoir",
  summon:
    "appelez, appelle, appeler, envoyez, envoie, faites venir, besoin, faut, alertez, prevenez, allez chercher, va chercher, faites",
  rescue:
    "ambulance*, samu, medecin, docteur, pompiers, police, secours, 112, 15, 18, secouriste*, defibrillateur, urgences",
  hazard: "feu, incendie, fumee, flammes, explosion, fuite de gaz, bombe, braquage, fusillade, coups de feu",
  place:
    "dans, a, au, aux, sur, sous, derriere, devant, pres, ici, la, partout, sort, vient, du, de, maintenant, vite, dehors, chez, en bas",
  substance:
    "gaz, ammoniac, ammoniaque, chlore, acide, javel, soude, produit*, chimique*, propane, solvant, refrigerant, detartrant, monoxyde",
  escapes: "fuite, fuit, s echappe, echappe, deverse, repandu, sort, coule",
  weapon: "couteau, pistolet, arme, fusil, machette, hache, bombe",
  armed: "avec, a un, a une, sort un, menace",
  supposing: "si, quand, lorsque, lorsqu, des que, en cas, avant, apres, au cas, jusqu",
  upon: "contre, pour, sur, lors, pendant, en cas de",
  asking:
    "que, qu est, quoi, ou, quand, qui, quel*, quelle*, pourquoi, comment, combien, dois je, puis je, faut il, peut on, est ce que, c est quoi, explique*",
  opening: "est ce, y a t il, est il, sont",
  whatNow:
    "que faire, je fais quoi, on fait quoi, qu est ce que je fais, qu est ce qu on fait, que dois je faire, quoi faire, comment aider",
  denying: "pas de, pas d, aucun*, jamais, sans, rien",
  past: "hier, la semaine derniere, le mois dernier, l an dernier, l annee derniere, la derniere fois, il y a un an, comme toujours, comme d habitude, tous les jours, souvent, d habitude",
  paper:
    "exercice*, formation, procedure*, consigne*, politique, liste, plan, formulaire*, manuel, video, etapes, regles, instructions, numero, poste, registre, assurance, controle, statistique*, rapport",
  harmless:
    "extincteur*, porte coupe feu, detecteur de fumee, detecteurs de fumee, premiers secours, premiers soins, issue de secours, sortie de secours, arret d urgence, alarme incendie, exercice incendie, numero d urgence, eclairage de secours, batterie de secours, roue de secours, bouteille de gaz, presque accident*, mort de fatigue, mort de faim, mort de rire, feu vert, feu rouge, mise a feu, a la main, en main, main d oeuvre, par coeur, brule d envie, charge de travail",
};
