"""What is known of a publication's site: template, samples, languages, structure alarms."""
