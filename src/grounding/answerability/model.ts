/**
 * Written by `bench/train-answerability.ts` from ClapNQ's 600 questions and 428 on the handbook, ridge 3.
 * AUROC by 5-fold cross-validation over questions, mean of 5 splits: 0.813 on ClapNQ, 0.914 on the handbook.
 */
import type { LogisticModel } from "./logistic.js";

export const MODEL: LogisticModel = {
  bias: 0.0246,
  features: [
    // bm25
    { mean: 0.4374, deviation: 0.173, weight: 1.0448 },
    // bm25 squared
    { mean: 0.2212, deviation: 0.1569, weight: -0.2664 },
    // bm25 ahead of the second
    { mean: 0.1986, deviation: 0.1744, weight: 0.3682 },
    // ratio to the second
    { mean: 0.3989, deviation: 0.2819, weight: -0.1404 },
    // ratio to the third
    { mean: 0.5423, deviation: 0.2915, weight: 0.4487 },
    // held
    { mean: 0.6496, deviation: 0.2364, weight: -0.0238 },
    // held by any passage
    { mean: 0.6591, deviation: 0.2302, weight: 0.0829 },
    // held ahead of the second
    { mean: 0.268, deviation: 0.2529, weight: -0.2707 },
    // in one sentence
    { mean: 0.501, deviation: 0.2508, weight: -0.2385 },
    // in one window
    { mean: 0.525, deviation: 0.2568, weight: 0.5496 },
    // in one window, squared
    { mean: 0.3416, deviation: 0.2792, weight: -0.2525 },
    // in one window, times ahead
    { mean: 0.1279, deviation: 0.1475, weight: 0.4082 },
    // neighbours
    { mean: 0.2757, deviation: 0.2925, weight: -0.1922 },
    // in the title
    { mean: 0.3054, deviation: 0.2794, weight: 0.3681 },
    // in the title, times bm25
    { mean: 0.1592, deviation: 0.1751, weight: -0.1304 },
    // title in the first sentence
    { mean: 0.4027, deviation: 0.4026, weight: 0.1209 },
    // defines its title
    { mean: 0.1975, deviation: 0.3981, weight: 0.2087 },
    // missing
    { mean: 0.613, deviation: 0.5206, weight: 0.0375 },
    // beyond the title, in one sentence
    { mean: 0.4382, deviation: 0.3204, weight: 0.3822 },
    // terms held
    { mean: 0.6277, deviation: 0.2322, weight: -0.4056 },
    // shows the kind
    { mean: 0.1089, deviation: 0.7313, weight: 0.0369 },
    // last term held
    { mean: 0.6644, deviation: 0.4722, weight: 0.2184 },
    // section
    { mean: 0.3969, deviation: 0.4893, weight: -1.1563 },
    // section: bm25
    { mean: 0.1879, deviation: 0.255, weight: -0.1169 },
    // section: bm25 squared
    { mean: 0.1003, deviation: 0.1612, weight: 0.2599 },
    // section: bm25 ahead of the second
    { mean: 0.0953, deviation: 0.1733, weight: -0.132 },
    // section: ratio to the second
    { mean: 0.1839, deviation: 0.307, weight: -0.1537 },
    // section: ratio to the third
    { mean: 0.2691, deviation: 0.391, weight: -0.3411 },
    // section: held
    { mean: 0.2729, deviation: 0.369, weight: 0.3122 },
    // section: held by any passage
    { mean: 0.2743, deviation: 0.3699, weight: 0.4586 },
    // section: held ahead of the second
    { mean: 0.1307, deviation: 0.2444, weight: 0.1299 },
    // section: in one sentence
    { mean: 0.2159, deviation: 0.3068, weight: -0.4525 },
    // section: in one window
    { mean: 0.2297, deviation: 0.3237, weight: -0.4977 },
    // section: in one window, squared
    { mean: 0.1576, deviation: 0.2707, weight: 0.4275 },
    // section: in one window, times ahead
    { mean: 0.063, deviation: 0.1323, weight: -0.233 },
    // section: neighbours
    { mean: 0.1135, deviation: 0.2534, weight: 0.6039 },
    // section: in the title
    { mean: 0.103, deviation: 0.22, weight: 0.4152 },
    // section: in the title, times bm25
    { mean: 0.0593, deviation: 0.1402, weight: 0.1725 },
    // section: title in the first sentence
    { mean: 0.0964, deviation: 0.219, weight: -0.3245 },
    // section: defines its title
    { mean: 0.0088, deviation: 0.0932, weight: -0.0795 },
    // section: missing
    { mean: 0.1769, deviation: 0.3215, weight: 0.3937 },
    // section: beyond the title, in one sentence
    { mean: 0.216, deviation: 0.3361, weight: 0.7472 },
    // section: terms held
    { mean: 0.2633, deviation: 0.3575, weight: -0.0568 },
    // section: shows the kind
    { mean: 0.0019, deviation: 0.4366, weight: 0.3163 },
    // section: last term held
    { mean: 0.2928, deviation: 0.455, weight: -0.0501 },
  ],
};
