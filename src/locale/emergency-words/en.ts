/** What emergencies sound like in English. */
import type { EmergencyWords } from "./words.js";

export const english: EmergencyWords = {
  cries:
    "mayday, sos, man down, help me please, please help me, somebody help, someone help, anybody help, help us, send help, get help, need help now, need help here, need help fast, call for help, save me, come quick*, come fast, this is an emergency, it is an emergency, it s an emergency, medical emergency, we have an emergency, we ve got an emergency",
  alone: "help, help help, help me, emergency, we need help, i need help",
  dire: "not breathing, isn t breathing, stopped breathing, can t breathe, cannot breathe, can not breathe, doesn t breathe, no pulse, unconscious, unresponsive, passed out, fainted, bleeding out, bleeding, heart attack, cardiac arrest, having a stroke, having a fit, having a seizure, convulsing, electrocuted, electric shock, overdose*, chest pain*, drowning, on fire, in flames, caught fire, up in flames, blew up, exploded, smell gas, smells of gas, stinks of gas, smells like gas, smell of gas in, being attacked, being robbed, been robbed, been stabbed, been shot, was stabbed, was shot, beating him, beating her, beating up, run over by, ran over a, ran him over, run him over, not moving, isn t moving, doesn t move, anaphylaxis, anaphylactic shock, swallowed bleach, swallowed acid, cut myself, cut himself, cut herself, burned myself, burnt myself, hurt myself",
  who: "i, he, she, they, we, me, him, her, us, them, someone, somebody, anyone, person, people, man, men, woman, women, guy*, lad, lads, bloke, kid, kids, child, children, boy, girl, baby, colleague*, coworker*, worker*, mate, driver, customer, visitor, patient, guest, resident, operator, apprentice, fitter, cleaner, nurse, one of us",
  body: "hand, hands, finger*, thumb*, arm, arms, leg, legs, foot, feet, toe, toes, head, face, eye, eyes, hair, sleeve*, clothes, jacket, chest, neck, back, wrist, ankle, knee, throat, mouth, skin",
  harm: "collapsed, collapsing, fell off, fell down, fell from, fallen, falls off, fell in, trapped, stuck in, stuck under, stuck between, locked in, locked inside, shut in, caught in, caught under, caught between, pulled in, dragged in, pinned, crushed, buried, choking, suffocating, hurt, injured, wounded, dying, is dead, burned, burnt, scalded, poisoned, knocked out, knocked down, hit by, attacked, stabbed, gassed",
  wound:
    "cut, cut off, sliced, severed, broke, broken, burning, stuck, caught, torn, ripped, smashed, squashed, jammed, took off, came off, splashed, sprayed",
  into: "in, into, inside",
  under: "under, underneath, beneath, between",
  crusher:
    "belt*, conveyor*, press, roller*, machine*, mixer, grinder, slicer, saw, chain*, gear*, rack, racking, shelf, shelves, shelving, pallet*, load, truck, forklift, lorry, vehicle, wheel*, lift, hopper, shredder, baler, compactor, fryer, auger, lathe, drill",
  summon: "call, phone, ring, dial, get, send, fetch, bring, need, want, radio for, alert",
  rescue:
    "ambulance, paramedic*, doctor, medic, fire brigade, fire service, fire department, firefighter*, police, 911, 112, 999, emergency services, first aider, rescue, defibrillator, aed",
  hazard: "fire, smoke, flames, explosion, gas leak, gas cloud, fumes, armed robbery, shooting, bomb",
  place:
    "in, at, on, by, near, behind, under, inside, outside, beside, next, above, below, around, here, everywhere, coming, pouring, from, out, over, now, down, up, quick*",
  substance:
    "gas, ammonia, chlorine, acid, bleach, caustic, lye, chemical*, propane, solvent, refrigerant, cleaner, descaler, co2, carbon monoxide, hydrogen, peroxide, degreaser",
  escapes: "leak, leaking, leaks, leaked, escaping, released, spraying, spewing, burst, coming out, spilling",
  weapon: "knife, gun, pistol, weapon, machete, axe, bomb, rifle",
  armed: "with, has, has got, carrying, holding, waving, pulled, s got",
  supposing: "if, when, whenever, unless, in case, in the event, suppose, once, before, after, until, while",
  upon: "for, against, about, of, in a, in an, with a, with an, at a, to avoid, to prevent, during",
  asking:
    "what, where, when, who, whom, whose, which, why, how, how do, must, may, am i allowed, are we allowed, do i, do we, does, tell me about, explain",
  opening: "is, are, was, were, do, does, did, has, have, can i, may, will, would there",
  whatNow:
    "what do i do, what do we do, what should i do, what should we do, what shall i do, what can i do, what to do, what now, how do i help, do i do",
  denying: "no, not a, isn t a, never, nobody, no one, without, wasn t, nothing",
  past: "yesterday, last week, last month, last year, last night, last time, last shift, years ago, days ago, weeks ago, months ago, as always, as usual, like always, every day, usually, often, ever, in general",
  paper:
    "drill*, exercise, training, procedure*, policy, checklist*, plan, plans, form, forms, manual, video, poster, quiz, steps, rules, instructions, guideline*, extension, number, phone number, logbook, insurance, inspection, certificate, statistics",
  harmless:
    "fire extinguisher*, fire drill*, fire door*, fire alarm*, fire exit*, fire blanket*, fire warden*, fire marshal*, fire safety, fire point*, fire panel, fire escape*, fire hose*, fire sale, fire up, fire him, fire her, smoke detector*, smoke break*, smoke alarm*, first aid*, emergency exit*, emergency stop*, emergency light*, emergency number*, emergency contact*, emergency trolley*, emergency plan*, emergency door*, gas bottle*, gas cylinder*, gas valve*, gas detector*, burning for, burning to, dying for, dying to, dying of boredom, dying of hunger, hand in, hand over, on hand, by hand, second hand, first hand, head of, head office, head in the, back in, back to, back from, get back, call back, on the back, stuck in traffic, stuck in step, accident report*, incident report*, get the number, doctor s note*, sick note*, light the fire, near miss*, choking hazard*, under pressure, cut off time, hurt my feelings, foot in the door",
};
