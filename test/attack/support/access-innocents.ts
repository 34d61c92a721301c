/** Heads of documents that speak of sight, of doors and of people, and not of who may read them. */
export const INNOCENTS: readonly (readonly [file: string, content: string])[] = [
  ["fog.md", "# Driving in fog\n\nThe visibility was poor in the fog: stop and wait.\n"],
  ["fog.md", "# Driving in fog\n\nVisibility: 200 m or less means stop.\n\n- Visibility: poor\n"],
  [
    "fog.txt",
    "Visibility below 50 m: no forklift leaves the hall.\n\nAccess: by the north gate only, between 6 and 22.\n",
  ],
  ["fog.csv", "day,wind,visibility\nMonday,3,200 m\nTuesday,5,1.5\n"],
  [
    "fog.md",
    "# Visibility\n\nVisibility: when it falls under the figure on the board the crane stops for the day.\n",
  ],
  [
    "doors.md",
    "---\ntitle: Doors\nowner: facilities\ntags: [doors]\n---\n# Access to the cold room\n\nAllowed: two people.\n",
  ],
  ["doors.md", "# Restricted area\n\nConfidential waste goes into the grey bin.\n\nUsers: wear gloves.\n"],
  ["doors.md", "# Roles\n\n| Role | Who |\n| --- | --- |\n| Access | Night guard |\n"],
  [
    "doors.html",
    '<html><head><meta name="viewport" content="width=320"><meta name="description" content="Private label goods">' +
      "<style>p { visibility: hidden }</style></head>" +
      '<body><p style="visibility: hidden">Ring the bell.</p><p>Wait.</p></body></html>',
  ],
  [
    "permit.md",
    "# Hot work permit\n\nAuthorised persons: shift leads.\n\nPermission: written, before each job.\n",
  ],
  ["settings.yaml", "service:\n  port: 8080\n  users:\n    - name: kiosk\n  log: internal.log\n"],
  ["shapes.ts", "export interface Layer {\n  visibility: 'hidden' | 'visible';\n}\n"],
  ["rule.md", "First part\n\n---\n\nAccess: ring at gate 3\n\n---\n\nThird part\n"],
  [
    "understood.md",
    "---\nvisibility: network\n---\n# How to mark a document\n\nVisibility: restricted means that nobody else reads it.\n",
  ],
];
