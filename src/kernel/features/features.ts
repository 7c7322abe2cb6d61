/** Feature flags of the documents (INDEX_FEATURES) and the counters they show. */
export interface Features {
  isOn(feature: string): boolean;
  count(counter: string): void;
  snapshot(): FeatureSnapshot;
}

export interface FeatureSnapshot {
  readonly features: readonly string[];
  readonly counters: Readonly<Record<string, number>>;
  readonly env: readonly string[];
}

const onByDefault = ['usage'];

/** `env` undefined: the variable is not set, and what is on by default is on. */
export function createFeatures(env: readonly string[] | undefined): Features {
  const features = env ?? onByDefault;
  const counters: Record<string, number> = {};
  for (const feature of features) counters[`featureActivated:${feature}`] = 1;
  return {
    isOn: (feature) => features.includes(feature),
    count(counter) {
      counters[counter] = (counters[counter] ?? 0) + 1;
    },
    snapshot: () => ({ features, counters: { ...counters }, env: env ?? [] }),
  };
}
