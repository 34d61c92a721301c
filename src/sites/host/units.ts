/** Figures as they are told: to one decimal, and in units of 1,024, as `df -h`, `free -h` and `ps` count. */

export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

export function gigabytes(bytes: number): number {
  return rounded(bytes / 1_073_741_824);
}

export function megabytes(bytes: number): number {
  return rounded(bytes / 1_048_576);
}
