import { describe, expect, test } from 'vitest';
import { createSimilarityScale } from '../../search/semantic/similarity-scale.ts';
import { calibrate, cosinesOf, equalErrorThreshold } from './calibrate.fixture.ts';
import type { CalibrationPair } from './calibration-pairs.fixture.ts';
import { findModelFiles, openMiniLm } from './open-minilm.ts';

/** Not used for the calibration. Written before any of them was embedded. */
const heldOut: readonly CalibrationPair[] = [
  ['invoices we have not settled', 'Bill 77 from the printing house is overdue since 2 May.'],
  ['who replaced the managing director', 'After Mr Bell left, Karin Holm took over as chief executive.'],
  ['sore throat remedy', 'Gargle with salt water and drink hot tea with honey.'],
  ['parking ticket', 'Fine of 30 EUR for leaving the car in a no-stopping zone.'],
  ['password reset does not arrive', 'Customers report that they get no mail to set a new login secret.'],
  ['moving house', 'On 1 September the furniture goes from Leeds to our flat in Bristol.'],
  ['preferred way to be contacted', 'He would rather get a text message than a phone call.'],
  ['electric car range', 'One full battery of the hatchback lasts for about 380 km.'],
  ['when is the baby due', 'Sofia expects her first child in the middle of October.'],
  ['computer is slow', 'Since yesterday my PC takes ten minutes to start any program.'],
  ['annual leave left', 'You still have eleven vacation days this year.'],
  ['supplier of screws', 'We buy all bolts and fasteners from Hammer & Sons.'],
  ['wedding location', 'The marriage ceremony takes place in the castle garden.'],
  ['lost luggage', 'My suitcase did not arrive in Oslo; the airline is searching for it.'],
  ['yoga class', 'Stretching and breathing exercises with Mia, Fridays at six.'],
  ['goal of the project', 'By winter, orders must be shipped within a day.'],
  ['kitchen renovation cost', 'New cabinets, tiles and the stove come to 14,500 EUR.'],
  ['power failure', 'The lights went out in the whole street for two hours.'],
  ['children not vaccinated against measles', 'Jonas and Ida have not had their MMR shot yet.'],
  ['change of the bank', 'Our payments go through Northern Credit from June instead of City Savings.'],
  ['tickets for the concert', 'Two seats for the symphony on 9 December, row 7.'],
  ['backup of photos', 'All pictures are copied to the external disk every Sunday.'],
  ['water damage', 'A pipe burst in the cellar and the carpet is soaked.'],
  ['language skills of the applicant', 'She speaks fluent Portuguese and some Polish.'],
];

/** Every question with the text of another one. */
const unrelated = heldOut.map(([question], i): CalibrationPair => [question, heldOut[(i + 7) % heldOut.length]![1]]);

test('finds the threshold at which both errors are equal', () => {
  expect(equalErrorThreshold([0.6, 0.8], [0.1, 0.2])).toBeCloseTo(0.4, 10);
  // One relevant pair below 0.35 and one irrelevant pair above it.
  expect(equalErrorThreshold([0.3, 0.5, 0.6, 0.7], [0.1, 0.15, 0.2, 0.4])).toBeCloseTo(0.35, 10);
});

const files = await findModelFiles();

describe.skipIf(files === undefined)('[TR83] the scale of the shipped model', () => {
  async function openModel() {
    const embedder = (await openMiniLm({ batchCount: 16 }))!;
    const { signal } = new AbortController();
    return { embedder, embed: (texts: readonly string[]) => embedder.embed(texts, { signal, purpose: 'document' }) };
  }

  test('has the threshold of its calibration set', async () => {
    const { embedder, embed } = await openModel();
    expect(embedder.relevantFrom).toBe(await calibrate(embed));
    await embedder.close();
  });

  test('shows most paraphrases that it was not calibrated with above 0.7 and unrelated texts below', async () => {
    const { embedder, embed } = await openModel();
    const { toShown } = createSimilarityScale(embedder.relevantFrom);
    const passing = (cosines: readonly number[]) => cosines.filter((cosine) => toShown(cosine) >= 0.7).length;
    expect(passing(await cosinesOf(heldOut, embed))).toBeGreaterThanOrEqual(18);
    expect(passing(await cosinesOf(unrelated, embed))).toBeLessThanOrEqual(2);
    await embedder.close();
  });
});
