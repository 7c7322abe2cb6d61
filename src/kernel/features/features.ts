/** The documented feature flags (INDEX_FEATURES) and their counters. */
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

/** `env` undefined: the variable is unset, so the defaults apply. */
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
