/** A figure is the same in every unit, on every path that compares figures. */
import { describe, expect, it } from "vitest";
import { misses } from "../../test/support/unit-paths.js";

const SAME: readonly (readonly [subject: string, a: string, b: string])[] = [
  ["pressure", "420 kPa", "4.2 bar"],
  ["pressure", "100 psi", "6.9 bar"],
  ["pressure", "50 psi", "3.4 bar"],
  ["pressure", "4,200 mbar", "4.2 bar"],
  ["pressure", "0.42 MPa", "420 kilopascals"],
  ["pressure", "four point two bar", "420 kPa"],
  ["temperature", "180 °C", "356 °F"],
  ["temperature", "-18 °C", "0 °F"],
  ["temperature", "293 K", "20 °C"],
  ["temperature", "98.6 °F", "37 degrees Celsius"],
  ["flow", "20 l/min", "1.2 m³/h"],
  ["flow", "5 gpm", "19 litres per minute"],
  ["length", "15 cm", "0.15 m"],
  ["length", "10 ft", "3 m"],
  ["length", "2 in", "51 mm"],
  ["weight", "1.6 t", "1,600 kg"],
  ["weight", "10 lb", "4.5 kg"],
  ["volume", "1 gal", "3.8 l"],
  ["volume", "0.5 l", "500 ml"],
  ["speed", "12 km/h", "7.5 mph"],
  ["speed", "10 m/s", "36 km/h"],
  ["power", "750 W", "0.75 kW"],
  ["voltage", "0.4 kV", "400 V"],
  ["current", "250 mA", "0.25 A"],
  ["frequency", "3,000 rpm", "50 Hz"],
  ["torque", "50 Nm", "37 ft-lb"],
  ["energy", "1 kWh", "3.6 MJ"],
  ["concentration", "0.5 %", "5,000 ppm"],
  ["delay", "90 minutes", "1.5 hours"],
  ["delay", "1 hour 30 minutes", "90 minutes"],
];

const DIFFERENT: readonly (readonly [subject: string, a: string, b: string])[] = [
  ["pressure", "4.2 psi", "4.2 bar"],
  ["pressure", "420 kPa", "4.3 bar"],
  ["pressure", "420 kPa", "42 bar"],
  ["pressure", "100 psi", "7.5 bar"],
  ["pressure", "4.2 mbar", "4.2 bar"],
  ["temperature", "180 °C", "180 °F"],
  ["temperature", "20 °C", "70 °F"],
  ["temperature", "20 K", "20 °C"],
  ["flow", "20 l/min", "20 l/h"],
  ["flow", "5 gpm", "5 l/min"],
  ["length", "15 cm", "15 mm"],
  ["length", "2 m", "6 ft"],
  ["weight", "1.6 t", "1,600 g"],
  ["weight", "10 lb", "10 kg"],
  ["speed", "12 km/h", "12 mph"],
  ["power", "5 mW", "5 MW"],
  ["voltage", "400 mV", "400 V"],
  ["current", "250 mA", "2.5 A"],
  ["frequency", "50 rpm", "50 Hz"],
  ["torque", "50 Nm", "50 ft-lb"],
  ["delay", "90 minutes", "90 seconds"],
  ["delay", "1 hour 30 minutes", "130 minutes"],
];

describe("the same amount in two units", () => {
  it.each(SAME)("%s: %s is %s", (subject, said, known) => {
    expect(misses({ subject, said, known }, "same")).toEqual([]);
  });
});

describe("another amount", () => {
  it.each(DIFFERENT)("%s: %s is not %s", (subject, said, known) => {
    expect(misses({ subject, said, known }, "different")).toEqual([]);
  });
});
