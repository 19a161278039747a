// names: what NVIDIA's own Go libraries, on which mig-parted and the device plugin stand, make of simulated cards. Prints
// a line for every MIG profile of every card, and one for every MIG device.
package main

import (
	"fmt"
	"log"

	"github.com/NVIDIA/go-nvlib/pkg/nvlib/device"
	"github.com/NVIDIA/go-nvml/pkg/nvml"
)

func main() {
	driver := nvml.New()
	if code := driver.Init(); code != nvml.SUCCESS {
		log.Fatalf("nvmlInit: %v", code)
	}
	defer driver.Shutdown()
	err := device.New(driver).VisitDevices(func(index int, card device.Device) error {
		profiles, err := card.GetMigProfiles()
		if err != nil {
			return err
		}
		for _, profile := range profiles {
			info := profile.GetInfo()
			if info.G == info.C {
				fmt.Printf("profile %d %s\n", index, profile)
			}
		}
		devices, err := card.GetMigDevices()
		if err != nil {
			return err
		}
		for _, mig := range devices {
			profile, err := mig.GetProfile()
			if err != nil {
				return err
			}
			uuid, code := mig.GetUUID()
			if code != nvml.SUCCESS {
				return code
			}
			fmt.Printf("device %d %s %s\n", index, profile, uuid)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}
