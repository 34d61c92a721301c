/**
 * A small library for tests. Words in capitals with digits stand in one document only, to be searched for later. What
 * tests let a model say must be borne out here: "The padlock is red. The shift lead keeps it."
 */

/** Everybody in the network may read it. It states and does not instruct, so that no sentence waits for the next. */
export const LOCKOUT = `---
title: Lockout of press 4
revision: "3"
---
# Lockout

Press 4 is locked out with a red padlock at breaker B12 before anybody reaches into it. LOCKOUT71 is the tag, and the
shift lead keeps the padlock.
`;

export const SPILL = `---
title: Chemical spill
---
# Spill

A spill of solvent is covered with absorbent SPILL52 and reported to the shift lead within ten minutes.
`;

/** Only the managers may read it. */
export const PAYROLL = `---
title: Payroll codes
visibility: restricted
allowed_groups: [managers]
---
# Payroll

The payroll safe opens with the code PAYROLL93 on the first working day of the month.
`;

/** Only bob may read it. */
export const BADGE = `---
title: Badge reset
visibility: restricted
allowed_users: [bob]
---
# Badge

A lost badge is reset at the gate terminal with the master number BADGE44.
`;

/** Nobody may read it. */
export const SEALED = `---
title: Sealed findings
allowed_users: []
---
# Findings

The sealed findings of the boiler audit name valve SEALED88 as the cause.
`;

/** Everybody's, and granted to kiosk users by name. */
export const OPENING = `---
title: Opening hours
visibility: restricted
allowed_users: [kiosk-1]
allowed_groups: [shop]
---
# Opening

The shop opens at eight and closes at nineteen thirty HOURS27.
`;
